import { type BackoffList, isDownInList, type ListItem } from "../../explain/answer/backoff-list.ts";
import type { FailedJob } from "../../explain/answer/explanation.ts";
import { podKeyOf } from "../../explain/observed/lookups.ts";
import { notReadyCause } from "../list/list-not-ready.ts";
import { emptyList } from "../list/list-sentences.ts";
import { type ListLook, renderListTable } from "../list/list-table.ts";
import { harmless } from "../page/harmless.ts";
import { timesAround } from "../page/times.ts";
import { displayWidth, wrap } from "../page/width.ts";
import { type ConnectionLoss, disconnectedWords, firstLines, watchSentence } from "./live.ts";

export interface ListFrame {
  /** May be of an earlier time than `nowMs`, e.g. while the API server is silent. */
  readonly list: BackoffList;
  readonly nowMs: number;
  readonly connectionLoss: ConnectionLoss | null;
}

export function renderLiveList(
  frame: ListFrame & { readonly isLast: boolean },
  look: ListLook & { readonly rows: number },
  notes: readonly string[] = [],
): string {
  const { list, nowMs, connectionLoss, isLast } = frame;
  const { columns } = look;
  const times = timesAround(list.atMs);
  const lost = connectionLoss === null ? "" : ` ${disconnectedWords(connectionLoss, list.atMs, nowMs, times)}`;
  const state = `${watchSentence(nowMs, isLast, times)}${lost}`;
  const noted = notes.flatMap((sentence) => wrap(sentence, columns)).slice(0, Math.floor(look.rows / 4));
  const footer = [...wrap(state, columns), ...noted];
  const text = renderListTable(list, look).trimEnd() || emptyList(list, look);
  // wrap() would drop empty lines and leading blanks.
  const table = text.split("\n").flatMap((line) => (displayWidth(line) <= columns ? [line] : wrap(line, columns)));
  const shown = firstLines(table, Math.max(2, look.rows - 2 - footer.length), "lines");
  return `${[...shown, "", ...footer].join("\n")}\n`;
}

export function listNews(before: BackoffList | null, list: BackoffList, look: ListLook): string {
  const { items = [], notReady = [] } = before ?? {};
  const known = before === null ? new Map<string, string>() : statesIn(before);
  const now = statesIn(list);
  const hasChanged = (key: string): boolean => known.get(key) !== now.get(key);
  const rows = renderListTable(
    {
      ...list,
      items: list.items.filter((item) => hasChanged(itemKey(item))),
      notReady: [],
      failedJobs: [],
      common: [],
    },
    { ...look, isGrouped: false, by: null, hasHeaders: look.hasHeaders && items.length === 0 },
  );
  const gone = items.filter((item) => !now.has(itemKey(item)));
  const unready = list.notReady.filter((pod) => hasChanged(podKeyOf(pod)));
  const present = new Set([...list.notReady, ...list.items].map(podKeyOf));
  const failed = (list.failedJobs ?? []).filter((job) => hasChanged(jobKey(job)));
  const sentences = [
    ...gone.map((item) => {
      const { namespace, pod, container } = item;
      const end = isDownInList(item) ? "is no longer down" : "no longer crash-loops";
      return `${namespace}/${pod} ${container} ${end}.`;
    }),
    ...unready.map((pod) => `${podKeyOf(pod)} is not Ready: ${notReadyCause({ notReady: [pod] })}.`),
    ...notReady.map(podKeyOf).flatMap((key) => (present.has(key) ? [] : `${key} is Ready or gone.`)),
    ...failed.map((job) => `${jobKey(job)} has failed: ${job.reason ?? "no reason is given"}.`),
  ];
  const table = rows.split("\n\n", 1)[0]?.trimEnd() ?? "";
  const lines = [...(table === "" ? [] : [table]), ...sentences.map(harmless)];
  return lines.map((line) => `${line}\n`).join("");
}

export function stampedNews(news: string, nowMs: number, hasHeaders: boolean): string {
  const stamp = timesAround(nowMs).instant(nowMs);
  const lines = news.split("\n").slice(0, -1);
  return lines
    .map((line, index) => `${hasHeaders && index === 0 ? "TIME".padEnd(stamp.length) : stamp}  ${line}\n`)
    .join("");
}

/** Returns a key that changes when a watch should print the list again, but not with each second. */
export function listKey(list: BackoffList): string {
  return JSON.stringify([...statesIn(list)].sort());
}

function statesIn({ items, notReady, failedJobs = [] }: BackoffList): Map<string, string> {
  return new Map([
    ...items.map((item) => [itemKey(item), stateOf(item)] as const),
    ...notReady.map((pod) => [podKeyOf(pod), `${pod.cause} ${pod.container?.name}`] as const),
    ...failedJobs.map((job) => [jobKey(job), "failed"] as const),
  ]);
}

export function itemKey(item: ListItem): string {
  return `${podKeyOf(item)}/${item.container}`;
}

function stateOf({ state, restartCount, delayMs, cause, overdue }: ListItem): string {
  return `${state} ${restartCount} ${delayMs} ${cause} ${overdue !== null}`;
}

function jobKey({ namespace, name }: FailedJob): string {
  return `${namespace}/job/${name}`;
}
