import type { BackoffList, ListItem } from "../../explain/answer/backoff-list.ts";
import { workloadKey } from "../../explain/observed/lookups.ts";
import { greatestOf, leastOf } from "../../explain/observed/max-min.ts";
import type { OwnerReference } from "../../explain/observed/observation.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { formatElapsed, isAhead, windowCell } from "../page/durations.ts";
import { localTime, zoneOffsetMs } from "../page/times.ts";
import { stateWords } from "../page/trouble.ts";
import { causeCell, UNKNOWN } from "./list-causes.ts";

/** The containers of one row of the table. {@link kindOfNext} returns the same for all of them. */
type Alike = readonly [ListItem, ...ListItem[]];

function kindOfNext({ state, isReady, nextRestart, overdue, isNodeReady }: ListItem) {
  if (state === "running") return isReady === false ? "running, not ready" : "running";
  if (overdue !== null) return "overdue";
  if (nextRestart !== null) return "expected";
  return isNodeReady === false ? "node not ready" : "unknown";
}

/** Returns the containers' state, e.g. "backing off" or "running 42s"; "down" if their states differ. */
export function stateCell({ items }: Pick<ListRow, "items">, nowMs: number): string {
  const [{ state }] = items;
  if (state !== "running") return items.every((item) => item.state === state) ? stateOfItem(items[0]) : "down";
  const agesMs = items.flatMap(({ startedAtMs }) => (startedAtMs === null ? [] : [nowMs - startedAtMs]));
  const ages = agesMs.length === 0 || agesMs.some(isAhead) ? "" : ` ${rangeOf(agesMs, formatElapsed)}`;
  return `${state}${ages}`;
}

function stateOfItem({ state, cause }: ListItem): string {
  return stateWords(state, state !== "starting" || (cause !== "start-failure" && cause !== "image-pull"));
}

/** Returns the number of ready pods or containers and of all: "1/3"; "-" if it is unknown. */
export function readyCell({ readiness }: Pick<ListRow, "readiness">): string {
  return readiness === null ? "-" : `${readiness.ready}/${readiness.all}`;
}

export function restartsCell({ items }: Pick<ListRow, "items">): string {
  const counts = items.map(({ restartCount }) => restartCount);
  return rangeOf(counts, String);
}

export function delayCell({ items }: Pick<ListRow, "items">): string {
  const delaysMs = items.flatMap(({ delayMs }) => delayMs ?? []);
  // A step that fails before a start has no back-off of its own.
  if (items[0].cause === "start-failure") return "-";
  return delaysMs.length === 0 ? UNKNOWN : rangeOf(delaysMs, formatBriefDuration);
}

/**
 * Returns when the containers restart: "1m27s-1m57s", "within 28s", "now", "overdue 5m", "unknown", "node not ready";
 * "-" if they are running. Of several pods, from the first to the last: "20s-2m (3 pods)". {@link BY_DEFAULTS} may come
 * first.
 */
export function nextCell({ items }: Pick<ListRow, "items">, nowMs: number): string {
  const kind = kindOfNext(items[0]);
  if (items[0].state === "running") return "-";
  if (kind === "overdue")
    return `overdue ${formatElapsed(nowMs - leastOf(items.flatMap(({ overdue }) => overdue?.expectedByMs ?? [])))}`;
  if (kind !== "expected") return kind;
  const windows = items.flatMap(({ nextRestart }) => nextRestart ?? []);
  const notBeforeMs = leastOf(windows.map((window) => window.notBeforeMs));
  const likelyByMs = greatestOf(windows.map((window) => window.likelyByMs));
  const isByDefaults = items.some((item) => item.isByDefaults);
  const window = windowCell({ notBeforeMs, likelyByMs }, nowMs);
  return `${isByDefaults ? BY_DEFAULTS : ""}${window}${items.length === 1 ? "" : ` (${items.length} pods)`}`;
}

/** Marks a window that assumes the kubelet's defaults, because its configuration was not read. */
export const BY_DEFAULTS = "~";

/**
 * Returns a cell for a narrow terminal: "?" for "unknown", and a log line or message without the exit code, reason or
 * probe before it, which explain less.
 */
export function briefCell(cell: string): string {
  return cell === UNKNOWN
    ? "?"
    : cell.replace(/^(exit [1-9]\d*|[A-Z][A-Za-z]+|\w+ probe failed): /, "").replace(/ \((\d+) pods\)$/, " ($1)");
}

/**
 * Returns since when the first container has been failing: "14:02", "Nov 20", "Nov 2025", "over 24m" if only the latest
 * possible instant is known, or "unknown".
 */
export function sinceCell({ items }: Pick<ListRow, "items">, nowMs: number, timeZone: string | undefined): string {
  const [first] = items.flatMap(({ failingSince }) => failingSince ?? []).toSorted((a, b) => a.atMs - b.atMs);
  if (first === undefined) return UNKNOWN;
  return first.isLatest === true
    ? `over ${formatElapsed(nowMs - first.atMs)}`
    : clockOrDay(first.atMs, nowMs, timeZone);
}

/**
 * Returns the clock time of an instant on the same day or less than 12 hours ago, otherwise its day ("Nov 20") or, in
 * another year, its month ("Nov 2025").
 */
export function clockOrDay(sinceMs: number, nowMs: number, timeZone: string | undefined): string {
  const [since, now] = [sinceMs, nowMs].map((atMs) => localTime(atMs, zoneOffsetMs(timeZone, atMs)));
  if (since === undefined || now === undefined) return UNKNOWN;
  if (since.day === now.day && since.year === now.year) return since.clock.slice(0, "14:02".length);
  if (nowMs - sinceMs < HALF_A_DAY_MS) return since.clock.slice(0, "14:02".length);
  return since.year === now.year ? since.day : `${since.day.slice(0, "Nov".length)} ${since.year}`;
}

const HALF_A_DAY_MS = 43_200_000;

export function ageCell(createdAtMs: number | null, nowMs: number): string {
  if (createdAtMs === null) return UNKNOWN;
  return isAhead(nowMs - createdAtMs) ? "in the future (clocks differ)" : formatElapsed(nowMs - createdAtMs);
}

export function ownerCell(owner: OwnerReference | null): string {
  return owner === null ? "<none>" : `${owner.kind}/${owner.name}`;
}

export function rangeOf(values: readonly number[], format: (value: number) => string): string {
  const [from, to] = [format(leastOf(values)), format(greatestOf(values))];
  return from === to ? from : `${from}-${to}`;
}

export interface ListRow {
  readonly items: Alike;
  /** The pod's name, or the workload as kubectl's arguments have it: "deploy/web"; see {@link rowOfWorkload}. */
  readonly name: string;
  /** The number of pods that the row stands for. */
  readonly pods: number;
  /**
   * The number of ready ones and of all; null if it is unknown. A workload has pods, counted as by `kubectl get
   * deployments`; a pod has containers, counted as by `kubectl get pods`.
   */
  readonly readiness: { readonly ready: number; readonly all: number } | null;
}

const SHORT_KINDS: Readonly<Record<string, string>> = {
  Deployment: "deploy",
  ReplicaSet: "rs",
  StatefulSet: "sts",
  DaemonSet: "ds",
  CronJob: "cj",
};

/** Returns a workload as kubectl's arguments have it: "deploy/web". */
export function shortName({ kind, name }: OwnerReference): string {
  return `${SHORT_KINDS[kind] ?? kind.toLowerCase()}/${name}`;
}

export function singleRows({ items }: BackoffList): ListRow[] {
  return items.map((item) => ({ items: [item], name: item.pod, pods: 1, readiness: item.readiness }));
}

/**
 * Returns a row for each container. Containers of several pods share a row if their workload, name, cause and kind of
 * next start are the same; if the list is `by` "node", also their node.
 */
export function groupedRows(list: BackoffList, by: string | null = null): ListRow[] {
  const placeOf = ({ node }: ListItem): string => (by === "node" ? (node ?? "") : "");
  return [...Map.groupBy(list.items, (item) => `${placeOf(item)} ${rowKey(item)}`).values()].flatMap(
    ([first, ...others]): ListRow[] => {
      if (first === undefined) return [];
      const items: Alike = [first, ...others];
      const row = rowOfWorkload(list, items);
      return row === null ? singleRows({ ...list, items }) : [{ items, ...row }];
    },
  );
}

type PodOfRow = Pick<ListItem, "namespace" | "pod" | "workload">;

/**
 * Returns the row of several pods of one workload, or of the only pod of a Deployment; null for another single pod,
 * whose own name shows more, and for pods without a workload.
 */
export function rowOfWorkload(
  { allPods }: BackoffList,
  all: readonly [PodOfRow, ...PodOfRow[]],
): Omit<ListRow, "items"> | null {
  const [{ namespace, workload }] = all;
  if (workload === null) return null;
  const pods = new Set(all.map(({ pod }) => pod)).size;
  const isOwn = isPodOf(workload);
  const own = allPods?.filter((one) => (one.namespace ?? namespace) === namespace && isOwn(one.name)) ?? [];
  // The only pod of a Deployment gets the short name, too. A StatefulSet's pod keeps its own, which shows more.
  const isOnlyOne = own.length === 1 && workload.kind === "Deployment";
  if (pods === 1 && !isOnlyOne) return null;
  const readiness = { ready: own.filter(({ isReady }) => isReady).length, all: own.length };
  return { name: shortName(workload), pods, readiness: own.length < pods ? null : readiness };
}

function rowKey(item: ListItem): string {
  return `${workloadKey(item)} ${item.container} ${kindOfNext(item)} ${causeCell(item)}`;
}

/** A character of a random suffix or hash (`SafeEncodeString`, k8s.io/apimachinery v0.37.1, pkg/util/rand/rand.go). */
const RANDOM = "[bcdfghjklmnpqrstvwxz2456789]";

/**
 * What controllers append to a workload's name to name its pods. Other kinds than these append "-" and a random suffix.
 */
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
