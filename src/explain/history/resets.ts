import { leastOf } from "../observed/extremes.ts";
import type { EventSnapshot, PodObservation } from "../observed/observation.ts";
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
