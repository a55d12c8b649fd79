import { leastOf } from "../observed/extremes.ts";
import type { ContainerSpec, EventSnapshot, PodObservation } from "../observed/observation.ts";
import { isNodeStop } from "./node-stops.ts";
import { type SeenRun, startOf } from "./runs.ts";

/** Something that emptied a container's back-off entry, other than time. */
export interface ForcedReset {
  /** About when; the kubelet acts on it within seconds. */
  readonly atMs: number;
  readonly kind: "kubelet-restart" | "events-anew" | "image-change" | "node-stop";
}

/** The resets of this container that its events, its node's events and the ends of its runs tell of, oldest first. */
export function forcedResets(
  observed: PodObservation,
  container: string,
  image: string,
  runs: readonly SeenRun[] = [],
): ForcedReset[] {
  const own = observed.events.filter((event) => event.container === container);
  const restarts = kubeletRestarts(observed.nodeEvents);
  const anew = seriesBegunAnew(own).filter((atMs) => !restarts.some((known) => Math.abs(known - atMs) < 60_000));
  return [
    ...restarts.map((atMs) => ({ atMs, kind: "kubelet-restart" as const })),
    ...anew.map((atMs) => ({ atMs, kind: "events-anew" as const })),
    ...stopsOf(runs, container, observed).map((atMs) => ({ atMs, kind: "node-stop" as const })),
    ...imageChanges(own, image).map((atMs) => ({ atMs, kind: "image-change" as const })),
  ]
    .filter(({ atMs }) => atMs > (observed.pod.createdAtMs ?? 0))
    .sort((a, b) => a.atMs - b.atMs);
}

/** A moment after the exit, so that it belongs to the next start. */
function stopsOf(runs: readonly SeenRun[], container: string, observed: PodObservation): number[] {
  return runs.flatMap((run, index) => {
    const { finishedAtMs } = run;
    return finishedAtMs !== null && isNodeStop(run, runs[index + 1], container, observed) ? [finishedAtMs + 1] : [];
  });
}

/** A reset belongs to the first start that follows it; its own time is that start's at the latest. */
export function isBeforeStart(reset: ForcedReset, from: SeenRun | null, to: SeenRun): boolean {
  return (from === null || startOf(from) < reset.atMs - RESET_SLACK_MS) && reset.atMs - RESET_SLACK_MS <= startOf(to);
}

/** Whether the reset came while this run was up. */
export function isDuring(reset: ForcedReset, run: SeenRun): boolean {
  return startOf(run) < reset.atMs - RESET_SLACK_MS && reset.atMs < (run.finishedAtMs ?? Number.POSITIVE_INFINITY);
}

/** Whether the kubelet lost the entry of a run while that was up; a new image has a run of its own. */
export function isForgottenDuring(run: SeenRun, resets: readonly ForcedReset[]): boolean {
  return resets.some((reset) => reset.kind !== "image-change" && isDuring(reset, run));
}

/** The events of a start come up to this long after its startedAt. */
const RESET_SLACK_MS = 2_000;

/** "Starting kubelet." (pkg/kubelet/kubelet.go, v1.37.1); kube-proxy's event of the same reason says otherwise. */
export function kubeletRestarts(nodeEvents: readonly EventSnapshot[]): number[] {
  return nodeEvents
    .filter((event) => event.reason === "Starting" && /kubelet/.test(event.message))
    .flatMap((event) => [event.firstAtMs, event.lastAtMs])
    .filter((atMs, index, all): atMs is number => atMs !== null && all.indexOf(atMs) === index)
    .sort((a, b) => a - b);
}

/**
 * A kubelet counts repeated events in one object. A second object of the same words, begun after the first one's last,
 * means that the counting began anew: the kubelet restarted (or, rarely, forgot the first among thousands).
 */
function seriesBegunAnew(events: readonly EventSnapshot[]): number[] {
  const lastOfSeries = new Map<string, number>();
  const anew = new Set<number>();
  const inOrder = events
    .filter((event) => event.firstAtMs !== null)
    .sort((a, b) => (a.firstAtMs ?? 0) - (b.firstAtMs ?? 0));
  for (const event of inOrder) {
    if (!COUNTED.has(event.reason)) continue;
    const key = `${event.reason} ${event.message}`;
    const before = lastOfSeries.get(key);
    if (before !== undefined && event.firstAtMs !== null && event.firstAtMs > before) anew.add(event.firstAtMs);
    lastOfSeries.set(key, event.lastAtMs ?? event.firstAtMs ?? 0);
  }
  return mergeClose([...anew]);
}

/** Those of a start: a new series of the others begins only some runs after the reset. */
const COUNTED = new Set(["Started", "Created"]);

/** Several series of one container begin within a restart or two: the earliest stands for all of two minutes. */
function mergeClose(instants: number[]): number[] {
  const merged: number[] = [];
  for (const atMs of instants.sort((a, b) => a - b)) {
    const last = merged.at(-1);
    if (last === undefined || atMs - last > 120_000) merged.push(atMs);
  }
  return merged;
}

/** The first Pulled event that names the present image, if an earlier one names another. */
function imageChanges(events: readonly EventSnapshot[], image: string): number[] {
  const pulled = events.filter((event) => event.reason === "Pulled" && event.firstAtMs !== null);
  const names = (event: EventSnapshot) => event.message.includes(`"${image}"`);
  const current = pulled.filter(names).map((event) => event.firstAtMs ?? 0);
  const others = pulled.filter((event) => !names(event)).map((event) => event.firstAtMs ?? 0);
  const first = leastOf(current);
  return Number.isFinite(first) && others.some((atMs) => atMs < first) ? [first] : [];
}

/** How often the container started between its latest forced reset and its oldest seen run. */
export interface StartsBefore {
  readonly count: number;
  /** False: there may have been more, because events were held back. */
  readonly isExact: boolean;
}

/**
 * How often the container started between its latest forced reset and its oldest seen run, as its events count; null if
 * that run is not known to come after a reset.
 */
export function startsBefore(
  observed: PodObservation,
  spec: ContainerSpec,
  resets: readonly ForcedReset[],
  runs: readonly SeenRun[],
): StartsBefore | null {
  const first = runs[0];
  const latest = first === undefined ? undefined : resets.findLast((reset) => isBeforeStart(reset, null, first));
  if (first === undefined || latest === undefined) return null;
  const series = longestSeries(observed, spec, latest);
  if (series === undefined) return { count: 0, isExact: false };
  const counted = runs.findLastIndex((run) => Math.abs(startOf(run) - (series.lastAtMs ?? 0)) <= 3_000);
  if (counted >= 0) return { count: Math.max(0, series.count - 1 - counted), isExact: true };
  return { count: series.count, isExact: false };
}

/** The events that count starts: of the image's pulls after a change of it, else of starts, or creations if all starts fail. */
function longestSeries(observed: PodObservation, spec: ContainerSpec, since: ForcedReset) {
  const reasons = since.kind === "image-change" ? ["Pulled"] : ["Started", "Created"];
  const own = observed.events.filter(
    (event) => event.container === spec.name && (event.firstAtMs ?? 0) >= since.atMs - 5_000,
  );
  const counted = reasons
    .map((reason) => own.filter((event) => event.reason === reason))
    .find((events) => events.length > 0);
  return counted?.reduce((a, b) => (b.count > a.count ? b : a));
}
