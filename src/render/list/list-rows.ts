import { excerpt, SIGNALS } from "../../explain/answer/excerpt.ts";
import type { BackoffList, ListItem } from "../../explain/list.ts";
import { greatestOf, leastOf } from "../../explain/observed/extremes.ts";
import type { OwnerReference } from "../../explain/observed/observation.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { formatElapsed, formatWindow, isAhead } from "../page/durations.ts";
import { localTime, zoneOffsetMs } from "../page/times.ts";
import { CAUSES, stateWords } from "../page/trouble.ts";

/** The containers of one row of the table. {@link kindOfNext} returns the same for all of them. */
type Alike = readonly [ListItem, ...ListItem[]];

function kindOfNext({ state, isReady, nextRestart, overdue, isNodeReady }: ListItem) {
  if (state === "running") return isReady === false ? "running, not ready" : "running";
  if (overdue !== null) return "overdue";
  if (nextRestart !== null) return "expected";
  return isNodeReady === false ? "node not ready" : "unknown";
}

export const UNKNOWN = "unknown";

/** Returns the containers' state, e.g. "backing-off" or "running 42s, not ready"; "down" if their states differ. */
export function stateCell(items: Alike, nowMs: number): string {
  const [{ state }] = items;
  if (state !== "running") return items.every((item) => item.state === state) ? stateOf(items[0]) : "down";
  const agesMs = items.flatMap(({ startedAtMs }) => (startedAtMs === null ? [] : [nowMs - startedAtMs]));
  const ages = agesMs.length === 0 || agesMs.some(isAhead) ? "" : ` ${rangeOf(agesMs, formatElapsed)}`;
  return kindOfNext(items[0]).replace(state, `${state}${ages}`);
}

function stateOf({ state, cause }: ListItem): string {
  return state === "starting" && (cause === "start-failure" || cause === "image-pull")
    ? "can't start"
    : stateWords(state);
}

export function restartsCell(items: Alike): string {
  const counts = items.map(({ restartCount }) => restartCount);
  return rangeOf(counts, String);
}

export function delayCell(items: Alike): string {
  const delaysMs = items.flatMap(({ delayMs }) => delayMs ?? []);
  // A step that fails before a start has no back-off of its own.
  if (items[0].cause === "start-failure") return "-";
  return delaysMs.length === 0 ? UNKNOWN : rangeOf(delaysMs, formatBriefDuration);
}

/** Returns when the containers restart: "1m27s-1m57s" (first to last), "within 28s", "now", "overdue 5m"; or "-". */
export function nextCell(items: Alike, nowMs: number): string {
  const kind = kindOfNext(items[0]);
  if (items[0].state === "running") return "-";
  if (kind === "overdue")
    return `overdue ${formatElapsed(nowMs - leastOf(items.flatMap(({ overdue }) => overdue?.expectedByMs ?? [])))}`;
  if (kind !== "expected") return kind;
  const windows = items.flatMap(({ nextRestart }) => nextRestart ?? []);
  const notBeforeMs = leastOf(windows.map((window) => window.notBeforeMs));
  const likelyByMs = greatestOf(windows.map((window) => window.likelyByMs));
  const isByDefaults = items.some((item) => item.isByDefaults);
  return `${isByDefaults ? BY_DEFAULTS : ""}${formatWindow({ notBeforeMs, likelyByMs }, nowMs).replace(/^in /, "")}`;
}

/** Marks a window that assumes the kubelet's defaults. */
export const BY_DEFAULTS = "~";

/** Returns why the container is down: "exit 1", "exit 143 (SIGTERM)", "OOMKilled (137)", or the API's reason. */
export function causeCell({ cause, lastExit, reported }: ListItem): string {
  if (cause === "start-failure") return reported ?? "start failure";
  if (cause === "image-pull") return "image pull";
  const words = CAUSES[cause];
  // For these causes the kubelet made up the exit code.
  if (lastExit === null || cause === "unknown" || cause === "restart-all") return words?.tag ?? UNKNOWN;
  const { exitCode } = lastExit;
  if (words?.leads) return `${words.tag} (${exitCode})`;
  // A program that ends itself after SIGTERM chooses its exit code: often 0, not 143.
  const signal = lastExit.signal ?? (cause === "signal" && exitCode > 128 ? exitCode - 128 : null);
  const clause = words?.tag ?? (signal === null ? undefined : (SIGNALS[signal] ?? `signal ${signal}`));
  return clause === undefined ? `exit ${exitCode}` : `exit ${exitCode} (${clause})`;
}

/** Returns the cause, and what the API says about it: "exit 1: panic: no such host", 'image pull: not found'. */
export function evidenceCell(items: Alike): string {
  const cause = causeCell(items[0]);
  const message = items.find((item) => item.message !== null)?.message ?? null;
  return message === null ? cause : `${cause}: ${excerpt(message, MOST_OF_MESSAGE)}`;
}

/** The most characters of a message in a pipe. A terminal cuts it at its edge. */
const MOST_OF_MESSAGE = 160;

/** Returns since when the first container has been failing: "14:02", "Nov 20 14:02", "Nov 20 2025", or "over 24m". */
export function sinceCell(items: Alike, nowMs: number): string {
  const [first] = items.flatMap(({ failingSince }) => failingSince ?? []).toSorted((a, b) => a.atMs - b.atMs);
  if (first === undefined) return UNKNOWN;
  return first.isLatest === true ? `over ${formatElapsed(nowMs - first.atMs)}` : sinceText(first.atMs, nowMs);
}

export function sinceText(sinceMs: number, nowMs: number): string {
  const [since, now] = [sinceMs, nowMs].map((atMs) => localTime(atMs, zoneOffsetMs(undefined, atMs)));
  if (since?.year !== now?.year) return `${since?.day} ${since?.year}`;
  const minute = since?.clock.slice(0, "14:02".length) ?? "";
  return since?.day === now?.day ? minute : `${since?.day} ${minute}`;
}

function rangeOf(values: readonly number[], format: (value: number) => string): string {
  const [from, to] = [format(leastOf(values)), format(greatestOf(values))];
  return from === to ? from : `${from}-${to}`;
}

export interface ListRow {
  readonly items: Alike;
  /** The pod's name, or the workload of several pods as kubectl's arguments have it: "deploy/web". */
  readonly name: string;
  /** How many of the workload's pods are in the row: "12/14"; "12/?" if the number of all its pods is unknown. */
  readonly pods: string;
}

const SHORT_KINDS: Readonly<Record<string, string>> = {
  Deployment: "deploy",
  ReplicaSet: "rs",
  StatefulSet: "sts",
  DaemonSet: "ds",
  CronJob: "cj",
};

export function singleRows({ items }: BackoffList): ListRow[] {
  return items.map((item) => ({ items: [item], name: item.pod, pods: "1" }));
}

/** Puts containers of several pods into one row if their workload, name, cause and kind of next start are the same. */
export function groupedRows(list: BackoffList): ListRow[] {
  return [...Map.groupBy(list.items, likeness).values()].flatMap(([first, ...others]): ListRow[] => {
    if (first === undefined) return [];
    const items: Alike = [first, ...others];
    const { workload } = first;
    const pods = new Set(items.map(({ pod }) => pod)).size;
    if (workload === null || pods === 1) return singleRows({ ...list, items });
    const all = list.podNames?.filter(isPodOf(workload)).length ?? 0;
    const kind = SHORT_KINDS[workload.kind] ?? workload.kind.toLowerCase();
    return [{ items, name: `${kind}/${workload.name}`, pods: all < pods ? `${pods}/?` : `${pods}/${all}` }];
  });
}

function likeness(item: ListItem): string {
  const { namespace, pod, container, workload } = item;
  const owner = workload === null ? pod : [workload.kind, workload.name];
  return JSON.stringify([namespace, owner, container, kindOfNext(item), causeCell(item)]);
}

/** A character of a random suffix or hash (`SafeEncodeString`, k8s.io/apimachinery v0.37.1, pkg/util/rand/rand.go). */
const RANDOM = "[bcdfghjklmnpqrstvwxz2456789]";

/** What controllers append to a workload's name to name its pods. Kinds that are not here append a random suffix. */
const SUFFIXES: Readonly<Record<string, RegExp>> = {
  Deployment: new RegExp(`^-${RANDOM}{1,10}-${RANDOM}{5}$`),
  StatefulSet: /^-\d+$/,
  CronJob: new RegExp(`^-\\d{8}-${RANDOM}{5}$`),
};
const OTHER_SUFFIX = new RegExp(`^-${RANDOM}{5}$`);

function isPodOf({ kind, name }: OwnerReference): (podName: string) => boolean {
  const suffix = SUFFIXES[kind] ?? OTHER_SUFFIX;
  return (podName) => podName.startsWith(name) && suffix.test(podName.slice(name.length));
}
