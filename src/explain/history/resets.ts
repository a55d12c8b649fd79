import { leastOf } from "../observed/extremes.ts";
import type { EventSnapshot, PodObservation } from "../observed/observation.ts";
import { isNodeStop } from "./node-stops.ts";
import { type SeenRun, startOf } from "./runs.ts";

/** A reset that does not wait for the back-off entry to expire, e.g. because the kubelet has restarted. */
export interface ForcedReset {
  /** The approximate instant; the kubelet acts on the reset within seconds. */
  readonly atMs: number;
  readonly kind: "kubelet-restart" | "events-anew" | "image-change" | "node-stop";
}

/** The resets that the container's events, its node's events and the ends of its runs show, oldest first. */
export function forcedResets(
  observed: PodObservation,
  container: string,
  image: string,
  runs: readonly SeenRun[] = [],
): ForcedReset[] {
  const own = observed.events.filter((event) => event.container === container);
  const restarts = kubeletRestarts(observed.nodeEvents);
  const anew = seriesBegunAnew(own).filter((atMs) => !restarts.some((known) => Math.abs(known - atMs) < 60_000));
  const stops = runs.filter((run, index) => isNodeStop(run, runs[index + 1], container, observed));
  return [
    ...restarts.map((atMs) => ({ atMs, kind: "kubelet-restart" as const })),
    ...anew.map((atMs) => ({ atMs, kind: "events-anew" as const })),
    // A moment after the exit, so that the reset belongs to the next start.
    ...stops.map(({ finishedAtMs }) => ({ atMs: (finishedAtMs ?? 0) + 1, kind: "node-stop" as const })),
    ...imageChanges(own, image).map((atMs) => ({ atMs, kind: "image-change" as const })),
  ]
    .filter(({ atMs }) => atMs > (observed.pod.createdAtMs ?? 0))
    .sort((a, b) => a.atMs - b.atMs);
}

/** The kubelet sends the events of a start at most this long after its startedAt. */
const RESET_SLACK_MS = 2_000;

/** The first reset after the exit of `from` that the kubelet had acted on by the start of `to`. */
export function resetBetween(resets: readonly ForcedReset[], from: SeenRun | undefined, to: SeenRun) {
  return resets.find((reset) => from !== undefined && isBeforeStart(reset, from, to) && !isDuring(reset, from));
}

/** Whether the kubelet acted on the reset at the start of `to`, and not of `from`. A reset may be dated a little after the start. */
function isBeforeStart(reset: ForcedReset, from: SeenRun | null, to: SeenRun): boolean {
  return (from === null || startOf(from) < reset.atMs - RESET_SLACK_MS) && reset.atMs - RESET_SLACK_MS <= startOf(to);
}

function isDuring(reset: ForcedReset, run: SeenRun): boolean {
  return startOf(run) < reset.atMs - RESET_SLACK_MS && reset.atMs < (run.finishedAtMs ?? Number.POSITIVE_INFINITY);
}

/** Whether the kubelet lost the entry while this run was up. A new image does not count: it starts a new run. */
export function isForgottenDuring(run: SeenRun, resets: readonly ForcedReset[]): boolean {
  return resets.some((reset) => reset.kind !== "image-change" && isDuring(reset, run));
}

/** "Starting kubelet." (pkg/kubelet/kubelet.go, v1.37.1); kube-proxy's event of the same reason has another message. */
export function kubeletRestarts(nodeEvents: readonly EventSnapshot[]): number[] {
  const instants = nodeEvents
    .filter((event) => event.reason === "Starting" && /kubelet/.test(event.message))
    .flatMap(({ firstAtMs, lastAtMs }) => [firstAtMs, lastAtMs])
    .filter((atMs) => atMs !== null);
  return [...new Set(instants)].sort((a, b) => a - b);
}

/** A restarted kubelet begins the series Started and Created of a container within this time: the earlier one dates its restart. */
const ONE_RESTART_MS = 120_000;

/**
 * The instants at which the kubelet restarted, as the events of the container's starts show. A kubelet counts repetitions in one
 * Event. A second Event with the same message, which begins after the first one ended, is from a restarted kubelet (rarely: from
 * one whose cache of thousands of events has dropped the first). Other events do not count: a restarted kubelet may send them
 * only some runs later.
 */
function seriesBegunAnew(events: readonly EventSnapshot[]): number[] {
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

/** The first Pulled event that names the present image, if an earlier one names another. */
function imageChanges(events: readonly EventSnapshot[], image: string): number[] {
  const pulled = events.filter(({ reason, firstAtMs }) => reason === "Pulled" && firstAtMs !== null);
  const isCurrent = ({ message }: EventSnapshot) => message.includes(`"${image}"`);
  const first = leastOf(pulled.filter(isCurrent).map(({ firstAtMs }) => firstAtMs ?? 0));
  const isChanged = pulled.some((event) => !isCurrent(event) && (event.firstAtMs ?? 0) < first);
  return isChanged && Number.isFinite(first) ? [first] : [];
}

export interface StartsBefore {
  readonly count: number;
  /** False: there may have been more starts, because the kubelet holds events back. */
  readonly isExact: boolean;
}

/**
 * How often the container started between its latest forced reset and its oldest observed run, as its events count; null if no
 * reset is known to come before that run.
 */
export function startsBefore(
  own: readonly EventSnapshot[],
  resets: readonly ForcedReset[],
  runs: readonly SeenRun[],
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

/** The event that counts starts: the pulls after a change of the image, else the starts, or creations if all starts fail. */
function longestSeries(own: readonly EventSnapshot[], since: ForcedReset): EventSnapshot | undefined {
  const reasons = since.kind === "image-change" ? ["Pulled"] : ["Started", "Created"];
  const later = own.filter((event) => (event.firstAtMs ?? 0) >= since.atMs - 5_000);
  const counted = reasons.map((reason) => later.filter((event) => event.reason === reason));
  return counted.find((series) => series.length > 0)?.reduce((a, b) => (b.count > a.count ? b : a));
}
