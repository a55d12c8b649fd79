import type { BackoffList, ListItem } from "../../explain/list.ts";
import { harmless } from "../page/harmless.ts";
import { counted } from "../page/paint.ts";
import { timesAround } from "../page/times.ts";
import { BY_DEFAULTS, causeCell, LOG_LEFT_OUT } from "./list-rows.ts";

export function noneListed(isDownOnly: boolean): string {
  return `No containers are ${isDownOnly ? "down" : "crash-looping or failing to start"}`;
}

/**
 * Returns the sentences of an empty list: that nothing is down in `where`, and which pods are not Ready all the same.
 */
export function emptyList(list: BackoffList, isDownOnly: boolean, where = ""): string {
  return [`${noneListed(isDownOnly)}${where}.`, notReadySentence(list)].filter(Boolean).join(" ");
}

/** Returns a sentence for each thing that rows share. */
export function commonLines({ atMs, common = [] }: BackoffList, timeZone?: string): string[] {
  const times = timesAround(atMs, timeZone);
  return common.map(({ sentence }) => harmless(`${times.text(sentence)}.`));
}

const MOST_NAMES = 5;

/** Returns "2 more pods are not Ready: core-0, core-1."; "" if there are none. */
function notReadySentence({ items, notReady }: BackoffList): string {
  if (notReady.length === 0) return "";
  const hasNamespaces = new Set([...items, ...notReady].map(({ namespace }) => namespace)).size > 1;
  const names = notReady.slice(0, MOST_NAMES).map(({ namespace, pod, waitsFor }) => {
    const name = hasNamespaces ? `${namespace}/${pod}` : pod;
    return waitsFor === null ? name : `${name} (waits for its init container ${waitsFor})`;
  });
  const rest = notReady.length - names.length;
  const count = counted(notReady.length, items.length > 0 ? "more pod" : "pod");
  const which = [...names, ...(rest > 0 ? [`${rest} more`] : [])].map(harmless).join(", ");
  return `${count} ${notReady.length === 1 ? "is" : "are"} not Ready: ${which}.`;
}

/** Returns "5 containers in 3 pods are down: 3 × exit 1, OOMKilled (137), image pull. 1 restart is overdue." */
export function totalsLine(list: BackoffList): string {
  const { items, failedJobs = [] } = list;
  const down = items.filter(({ state }) => state !== "running");
  const up = items.filter(({ state }) => state === "running");
  const late = items.filter(({ overdue }) => overdue !== null).length;
  const sentences = [
    sentenceOf(down, down.length === 1 ? "is down" : "are down"),
    late > 0 && `${counted(late, "restart")} ${late === 1 ? "is" : "are"} overdue.`,
    sentenceOf(up, up.length === 1 ? "crash-loops but is up" : "crash-loop but are up"),
    items.some(({ isByDefaults, nextRestart }) => isByDefaults && nextRestart !== null) &&
      `${BY_DEFAULTS}: by the kubelet's defaults, because its configuration was not read.`,
    items.some(({ isLogLeftOut, message }) => isLogLeftOut === true && message === null) &&
      `${LOG_LEFT_OUT}: a list reads at most 10 logs; \`kubectl backoff explain\` reads the others.`,
    failedJobs.length > 0 && `${counted(failedJobs.length, "Job")} ${failedJobs.length === 1 ? "has" : "have"} failed.`,
    notReadySentence(list),
  ];
  return sentences.filter(Boolean).join(" ");
}

function sentenceOf(items: readonly ListItem[], predicate: string): string {
  if (items.length === 0) return "";
  const byCause = [...Map.groupBy(items, (item) => harmless(causeCell(item)))];
  byCause.sort(([a, all], [b, others]) => others.length - all.length || (a < b ? -1 : 1));
  const pods = new Set(items.map(({ namespace, pod }) => `${namespace}/${pod}`)).size;
  const subject = `${counted(items.length, "container")} in ${counted(pods, "pod")}`;
  return `${subject} ${predicate}: ${byCause.map(([cause, { length }]) => (length === 1 ? cause : `${length} × ${cause}`)).join(", ")}.`;
}
