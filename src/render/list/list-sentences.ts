import { type BackoffList, isDownInList, type ListItem } from "../../explain/answer/backoff-list.ts";
import { podKeyOf } from "../../explain/observed/lookups.ts";
import { momentLines } from "../page/as-of.ts";
import { harmless } from "../page/harmless.ts";
import { counted } from "../page/paint.ts";
import { timesAround } from "../page/times.ts";
import { causeCell, LOG_LEFT_OUT } from "./list-causes.ts";
import { BY_DEFAULTS } from "./list-cells.ts";

export interface EmptyListLook {
  readonly columns: number;
  /** Whether the list leaves out containers that crash-loop but are running now. */
  readonly isDownOnly: boolean;
  readonly selector?: string | undefined;
  readonly timeZone?: string | undefined;
}

export function ofPodsThatMatch(selector: string | undefined): string {
  return selector === undefined ? "" : ` of pods that match ${harmless(JSON.stringify(selector))}`;
}

export function noneListed({ isDownOnly, selector }: Pick<EmptyListLook, "isDownOnly" | "selector">): string {
  return `No containers${ofPodsThatMatch(selector)} are ${isDownOnly ? "down" : "crash-looping or failing to start"}`;
}

/** `where`: empty, or a phrase that begins with a blank, e.g. " in prod namespace". */
export function emptyList(list: BackoffList, look: EmptyListLook, where = ""): string {
  const moment = momentLines(list, timesAround(list.atMs, look.timeZone), look.columns);
  const words = [`${noneListed(look)}${where}.`, notReadySentence(list)].filter(Boolean).join(" ");
  return [...moment, words].join("\n");
}

export function commonLines({ atMs, common = [] }: BackoffList, timeZone?: string): string[] {
  const times = timesAround(atMs, timeZone);
  return common.map(({ sentence }) => harmless(`${times.text(sentence)}.`));
}

function notReadySentence({ items, notReady }: BackoffList): string {
  if (notReady.length === 0) return "";
  return `${counted(notReady.length, items.length > 0 ? "more pod" : "pod")} ${notReady.length === 1 ? "is" : "are"} not Ready.`;
}

export function totalsLine(list: BackoffList): string {
  const { items, failedJobs = [] } = list;
  const [down, up] = [items.filter(isDownInList), items.filter((item) => !isDownInList(item))];
  const late = items.filter(({ overdue }) => overdue !== null).length;
  const sentences = [
    sentenceOf(down, down.length === 1 ? "is down" : "are down"),
    late > 0 && `${counted(late, "restart")} ${late === 1 ? "is" : "are"} overdue.`,
    sentenceOf(up, up.length === 1 ? "crash-loops but is up" : "crash-loop but are up"),
    items.some(({ isByDefaults, nextRestart }) => isByDefaults && nextRestart !== null) &&
      `${BY_DEFAULTS}: by the kubelet's defaults, because its configuration was not read.`,
    items.some(({ isLogLeftOut, message }) => isLogLeftOut === true && message === null) &&
      `${LOG_LEFT_OUT}: a list reads at most 10 logs; \`kubectl backoff explain\` reads the others.`,
    notReadySentence(list),
    failedJobs.length > 0 && `${counted(failedJobs.length, "Job")} ${failedJobs.length === 1 ? "has" : "have"} failed.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

function sentenceOf(items: readonly ListItem[], predicate: string): string {
  if (items.length === 0) return "";
  const byCause = [...Map.groupBy(items, (item) => harmless(causeCell(item)))];
  byCause.sort(([a, all], [b, others]) => others.length - all.length || (a < b ? -1 : 1));
  const pods = new Set(items.map(podKeyOf)).size;
  const subject = `${counted(items.length, "container")} in ${counted(pods, "pod")}`;
  return `${subject} ${predicate}: ${byCause.map(([cause, { length }]) => (length === 1 ? cause : `${length} × ${cause}`)).join(", ")}.`;
}
