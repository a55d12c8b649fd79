import { containerEvents } from "../observed/lookups.ts";
import { leastOf } from "../observed/max-min.ts";
import type { EventSnapshot, PodObservation } from "../observed/observation.ts";
import { type ObservedRun, startOf } from "./runs.ts";

export interface ForcedReset {
  readonly atMs: number;
  readonly kind: "kubelet-restart" | "events-anew" | "image-change" | "node-stop";
}

export function forcedResets(
  observed: PodObservation,
  container: string,
  image: string,
  stoppedByNode: readonly ObservedRun[] = [],
): ForcedReset[] {
  const own = containerEvents(container, observed);
  const restarts = kubeletRestarts(observed.nodeEvents);
  const anew = startsOfNewKubelets(own).filter((atMs) => !restarts.some((known) => Math.abs(known - atMs) < 60_000));
  return [
    ...restarts.map((atMs) => ({ atMs, kind: "kubelet-restart" as const })),
    ...anew.map((atMs) => ({ atMs, kind: "events-anew" as const })),
    // 1 ms later, so that the reset comes after the exit.
    ...stoppedByNode.map(({ finishedAtMs }) => ({ atMs: (finishedAtMs ?? 0) + 1, kind: "node-stop" as const })),
    ...imageChanges(own, image).map((atMs) => ({ atMs, kind: "image-change" as const })),
  ]
    .filter(({ atMs }) => atMs > (observed.pod.createdAtMs ?? 0))
    .sort((a, b) => a.atMs - b.atMs);
}

/** Assumed tolerance for comparing a reset with a start: the events that show a reset can come after `startedAt`. */
const RESET_SLACK_MS = 2_000;

export function resetBetween(resets: readonly ForcedReset[], from: ObservedRun | undefined, to: ObservedRun) {
  return resets.find((reset) => from !== undefined && isBeforeStart(reset, from, to) && !isDuring(reset, from));
}

function isBeforeStart(reset: ForcedReset, from: ObservedRun | null, to: ObservedRun): boolean {
  return (from === null || startOf(from) < reset.atMs - RESET_SLACK_MS) && reset.atMs - RESET_SLACK_MS <= startOf(to);
}

function isDuring(reset: ForcedReset, run: ObservedRun): boolean {
  return startOf(run) < reset.atMs - RESET_SLACK_MS && reset.atMs < (run.finishedAtMs ?? Number.POSITIVE_INFINITY);
}

/** Ignores resets by an image change, because the kubelet pulls the changed image only after the run has ended. */
export function isRecordLostDuring(run: ObservedRun, resets: readonly ForcedReset[]): boolean {
  return resets.some((reset) => reset.kind !== "image-change" && isDuring(reset, run));
}

/**
 * The kubelet's event has the message "Starting kubelet." (`BirthCry`, v1.37.1, pkg/kubelet/kubelet.go). Events of
 * kube-proxy have the same reason.
 */
export function kubeletRestarts(nodeEvents: readonly EventSnapshot[]): number[] {
  const instants = nodeEvents
    .filter((event) => event.reason === "Starting" && /kubelet/.test(event.message))
    .flatMap(({ firstAtMs, lastAtMs }) => [firstAtMs, lastAtMs])
    .filter((atMs) => atMs !== null);
  return [...new Set(instants)].sort((a, b) => a - b);
}

/** Assumed: new series of events within this time show one restart of the kubelet, not two. */
const ONE_RESTART_MS = 120_000;

/**
 * A kubelet usually counts repetitions in one Event, so a second Event with the same reason and message is a sign of a
 * new kubelet.
 */
function startsOfNewKubelets(events: readonly EventSnapshot[]): number[] {
  const lastOfSeries = new Map<string, number>();
  const anew: number[] = [];
  for (const event of events.toSorted((a, b) => (a.firstAtMs ?? 0) - (b.firstAtMs ?? 0))) {
    const { reason, message, firstAtMs, lastAtMs } = event;
    if (firstAtMs === null || (reason !== "Started" && reason !== "Created")) continue;
    const key = `${reason} ${message}`;
    const isAnew = firstAtMs > (lastOfSeries.get(key) ?? Number.POSITIVE_INFINITY);
    if (isAnew && firstAtMs - (anew.at(-1) ?? Number.NEGATIVE_INFINITY) > ONE_RESTART_MS) anew.push(firstAtMs);
    lastOfSeries.set(key, lastAtMs ?? firstAtMs);
  }
  return anew;
}

function imageChanges(events: readonly EventSnapshot[], image: string): number[] {
  const pulled = events.filter(({ reason, firstAtMs }) => reason === "Pulled" && firstAtMs !== null);
  const isCurrent = ({ message }: EventSnapshot) => message.includes(`"${image}"`);
  const first = leastOf(pulled.filter(isCurrent).map(({ firstAtMs }) => firstAtMs ?? 0));
  const isChanged = pulled.some((event) => !isCurrent(event) && (event.firstAtMs ?? 0) < first);
  return isChanged && Number.isFinite(first) ? [first] : [];
}

export interface StartsBefore {
  readonly count: number;
  readonly isExact: boolean;
}

/**
 * Infers from events how often the container started after the latest forced reset and before all `runs`. Returns null
 * if no forced reset before the runs is known.
 */
export function startsBefore(
  own: readonly EventSnapshot[],
  resets: readonly ForcedReset[],
  runs: readonly ObservedRun[],
): StartsBefore | null {
  const [first] = runs;
  const latest = first === undefined ? undefined : resets.findLast((reset) => isBeforeStart(reset, null, first));
  if (latest === undefined) return null;
  const series = longestSeries(own, latest);
  if (series === undefined) return { count: 0, isExact: false };
  const counted = runs.findLastIndex((run) => Math.abs(startOf(run) - (series.lastAtMs ?? 0)) <= 3_000);
  if (counted >= 0) return { count: Math.max(0, series.count - 1 - counted), isExact: true };
  return { count: series.count, isExact: false };
}

function longestSeries(own: readonly EventSnapshot[], since: ForcedReset): EventSnapshot | undefined {
  const reasons = since.kind === "image-change" ? ["Pulled"] : ["Started", "Created"];
  const later = own.filter((event) => (event.firstAtMs ?? 0) >= since.atMs - 5_000);
  const counted = reasons.map((reason) => later.filter((event) => event.reason === reason));
  return counted.find((series) => series.length > 0)?.reduce((a, b) => (b.count > a.count ? b : a));
}
