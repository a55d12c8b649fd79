import type { BackoffList, ListItem } from "../../explain/answer/backoff-list.ts";
import type { FailedJob } from "../../explain/answer/explanation.ts";
import { podKeyOf } from "../../explain/observed/lookups.ts";
import { jsonText } from "../json/json.ts";
import { listToJson } from "../json/list-json.ts";
import { notReadyCause } from "../list/list-not-ready.ts";
import { emptyList } from "../list/list-sentences.ts";
import { type ListLook, renderListTable } from "../list/list-table.ts";
import { harmless } from "../page/harmless.ts";
import { timesAround } from "../page/times.ts";
import { displayWidth, wrap } from "../page/width.ts";
import { type ConnectionLoss, lostSentence, shownSentence, watchSentence } from "./live.ts";

export interface ListFrame {
  /** The list as of `nowMs`, or as of earlier if the API server sent nothing when a restart was expected. */
  readonly list: BackoffList;
  readonly nowMs: number;
  readonly connectionLoss: ConnectionLoss | null;
  /** Whether the user has stopped the watch. */
  readonly isLast: boolean;
}

/**
 * Returns the screen of a watched list: the table, cut to the terminal's height, the time, connection errors, and
 * `notes`.
 */
export function renderLiveList(
  frame: ListFrame,
  look: ListLook & { readonly rows: number },
  notes: readonly string[] = [],
): string {
  const { list, nowMs, connectionLoss, isLast } = frame;
  const columns = look.columns ?? Number.POSITIVE_INFINITY;
  const times = timesAround(list.atMs);
  const lost =
    connectionLoss === null ? "" : ` ${lostSentence(connectionLoss, times)} ${shownSentence(list.atMs, nowMs, times)}`;
  const state = `${watchSentence(nowMs, isLast, times)}${lost}`;
  // Most of a low terminal stays for the table.
  const noted = notes.flatMap((sentence) => wrap(sentence, columns)).slice(0, Math.floor(look.rows / 4));
  const footer = [...wrap(state, columns), ...noted];
  const text = renderListTable(list, look).trimEnd() || emptyList(list, look);
  // wrap() is for paragraphs: it drops empty lines and leading blanks.
  const table = text.split("\n").flatMap((line) => (displayWidth(line) <= columns ? [line] : wrap(line, columns)));
  const space = Math.max(2, look.rows - 2 - footer.length);
  const shown =
    table.length <= space ? table : [...table.slice(0, space - 1), `… and ${table.length - space + 1} more lines`];
  return `${[...shown, "", ...footer].join("\n")}\n`;
}

/**
 * Returns what changed in a watched list, for a pipe: new or changed rows, then a line for each container that left,
 * the lines of {@link notReadyNews}, and a line for each Job that has failed since.
 */
export function listNews(before: BackoffList | null, list: BackoffList, look: ListLook): string {
  const known = new Map((before?.items ?? []).map((item) => [itemKey(item), stateKey(item)]));
  const changed = list.items.filter((item) => known.get(itemKey(item)) !== stateKey(item));
  const present = new Set(list.items.map(itemKey));
  const gone = (before?.items ?? []).filter((item) => !present.has(itemKey(item)));
  const rows = renderListTable(
    { ...list, items: changed, notReady: [], failedJobs: [], common: [] },
    { ...look, isGrouped: false, by: null, hasHeaders: look.hasHeaders && known.size === 0 },
  );
  const table = rows.split("\n\n", 1)[0]?.trimEnd() ?? "";
  const ups = gone.map(({ namespace, pod, container, state }) => {
    return harmless(
      `${namespace}/${pod} ${container} ${state === "running" ? "no longer crash-loops" : "is no longer down"}.`,
    );
  });
  const knownJobs = new Set((before?.failedJobs ?? []).map(jobOf));
  const failed = (list.failedJobs ?? []).filter((job) => !knownJobs.has(jobOf(job)));
  const jobs = failed.map((job) => harmless(`${jobOf(job)} has failed: ${job.reason ?? "no reason is given"}.`));
  const lines = [...(table === "" ? [] : [table]), ...ups, ...notReadyNews(before, list), ...jobs];
  return lines.map((line) => `${line}\n`).join("");
}

/**
 * Returns a line for each pod that has become not Ready, or is so for another cause, and for each that is Ready or
 * gone. A pod that begins to fail has a row instead.
 */
function notReadyNews(before: BackoffList | null, list: BackoffList): string[] {
  const known = new Map((before?.notReady ?? []).map((pod) => [podKeyOf(pod), notReadyKey(pod)]));
  const news = list.notReady.filter((pod) => known.get(podKeyOf(pod)) !== notReadyKey(pod));
  const present = new Set([...list.notReady, ...list.items].map(podKeyOf));
  return [
    ...news.map((pod) => harmless(`${podKeyOf(pod)} is not Ready: ${notReadyCause({ notReady: [pod] })}.`)),
    ...[...known.keys()].filter((key) => !present.has(key)).map((key) => harmless(`${key} is Ready or gone.`)),
  ];
}

/**
 * Returns the lines of {@link listNews} with the time before each; if they begin with headings (`hasHeaders`), the
 * heading "TIME" before those.
 */
export function stampedNews(news: string, nowMs: number, hasHeaders: boolean): string {
  const stamp = timesAround(nowMs).instant(nowMs);
  const lines = news.split("\n").slice(0, -1);
  return lines
    .map((line, index) => `${hasHeaders && index === 0 ? "TIME".padEnd(stamp.length) : stamp}  ${line}\n`)
    .join("");
}

export function renderListJsonLine(list: BackoffList): string {
  return `${jsonText(listToJson(list, {})).replaceAll(/\n */g, "")}\n`;
}

/** Returns a key that is the same for two lists if they differ only because time has passed. */
export function listKey({ items, notReady, failedJobs = [] }: BackoffList): string {
  const keys = [...items.map((item) => [itemKey(item), stateKey(item)]), ...notReady.map(notReadyKey)];
  return JSON.stringify([...keys, ...failedJobs.map(jobOf)].sort());
}

function notReadyKey({ cause, container, ...pod }: BackoffList["notReady"][number]): string {
  return `${podKeyOf(pod)} ${cause} ${container?.name ?? ""}`;
}

function jobOf({ namespace, name }: FailedJob): string {
  return `${namespace}/job/${name}`;
}

export function itemKey(item: ListItem): string {
  return `${podKeyOf(item)}/${item.container}`;
}

function stateKey({ state, restartCount, delayMs, cause, overdue }: ListItem): string {
  return `${state} ${restartCount} ${delayMs} ${cause} ${overdue !== null}`;
}
