import {
  type Lateness,
  latenessOf,
  latenessOfBoth,
  type Pace,
  PULL,
  paceOf,
  RUNTIME,
} from "../../kubelet/start-lateness.ts";
import { pullTookMs } from "../../kubelet/start-obstacles.ts";
import { areEventsComplete } from "../history/events.ts";
import { greatestOf, leastOf } from "../observed/extremes.ts";
import { conditionOf, newestAtMs } from "../observed/lookups.ts";
import type { ContainerSpec, PodObservation } from "../observed/observation.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { PodContext } from "./pod-context.ts";

/** A start that the kubelet has begun: since when, and whether it still pulls the image. */
export interface BegunStart {
  readonly atMs: number;
  readonly isPulling: boolean;
}

/** The start after this exit, if its events say that a sync has begun it; a sync that finds a container in back-off sends none of them. */
export function begunStart({ name }: ContainerSpec, finishedAtMs: number, context: PodContext): BegunStart | null {
  const { observed, atMs } = context;
  const latestMs = newestEventMs(observed, name, ["Pulling", "Pulled", "Created"], atMs);
  if (latestMs <= finishedAtMs) return null;
  return { atMs: latestMs, isPulling: newestEventMs(observed, name, ["Pulled", "Created"], atMs) < latestMs };
}

function newestEventMs(
  { events }: PodObservation,
  container: string,
  reasons: readonly string[],
  untilMs: number,
): number {
  const own = events.filter((event) => event.container === container && reasons.includes(event.reason));
  return newestAtMs(own, untilMs);
}

/** How late the container's next start comes after the sync that begins it: the pull, and what the container runtime takes. */
export function startLateness(
  { spec }: ContainerFacts,
  pod: readonly ContainerFacts[],
  begun: BegunStart | null,
  context: PodContext,
): Lateness {
  const lateness = latenessOf(runtimePace(pod, context));
  const isPulled = begun === null ? spec.imagePullPolicy === "Always" : begun.isPulling;
  return isPulled ? latenessOfBoth(lateness, latenessOf(pullPace(spec, context.observed))) : lateness;
}

/** The pulls before the first start that was seen do not count: they had to fetch the image. */
function pullPace({ name }: ContainerSpec, { events }: PodObservation): Pace {
  const own = events.filter(({ container }) => container === name);
  const startedAtMs = own.flatMap(({ reason, firstAtMs }) => (reason === "Started" ? (firstAtMs ?? []) : []));
  const sinceMs = startedAtMs.length === 0 ? 0 : leastOf(startedAtMs);
  const later = own.filter(({ reason, firstAtMs }) => reason === "Pulled" && (firstAtMs ?? 0) >= sinceMs);
  return paceOf(
    PULL,
    later.flatMap(({ message }) => pullTookMs(message) ?? []),
  );
}

/** How fast the node's container runtime is, as this pod's own starts and exits show. */
export function runtimePace(pod: readonly ContainerFacts[], context: PodContext): Pace {
  return paceOf(RUNTIME, [...pod.flatMap((facts) => startsTook(facts, context)), ...exitTook(pod, context.observed)]);
}

/** How long the last starts took, from the sync's first event of them to `startedAt`, without a pull. */
function startsTook({ spec, runs }: ContainerFacts, { observed, policy }: PodContext): number[] {
  const isComplete = areEventsComplete(observed.events, "Normal", policy.traits);
  return runs.flatMap(({ startedAtMs }, index) => {
    if (startedAtMs === null) return [];
    const exitedAtMs = runs[index - 1]?.finishedAtMs ?? (isComplete ? startedAtMs - RUNTIME.longestMs : startedAtMs);
    const begunAtMs = observed.events
      .filter(({ container, reason }) => container === spec.name && (reason === "Pulled" || reason === "Created"))
      .flatMap(({ lastAtMs }) => lastAtMs ?? [])
      .filter((atMs) => atMs > exitedAtMs && atMs <= startedAtMs);
    return begunAtMs.length === 0 ? [] : [startedAtMs - Math.min(...begunAtMs)];
  });
}

/** How long it took the kubelet to notice the last exit: since that sync the pod lacks ContainersReady. */
function exitTook(pod: readonly ContainerFacts[], observed: PodObservation): number[] {
  const ready = conditionOf(observed.pod, "ContainersReady");
  const noticedAtMs = ready?.status === "False" ? ready.lastTransitionAtMs : null;
  const exits = pod.flatMap(({ runs }) => runs.flatMap(({ finishedAtMs }) => finishedAtMs ?? []));
  const tookMs = noticedAtMs === null ? [] : [noticedAtMs - greatestOf(exits.filter((atMs) => atMs <= noticedAtMs))];
  return tookMs.filter((ms) => ms <= RUNTIME.longestMs);
}
