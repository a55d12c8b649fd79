import type { Lateness } from "../../kubelet/start-distribution.ts";
import { latenessOf, PULL, RECOVERY, RUNTIME } from "../../kubelet/start-lateness.ts";
import { pullTookMs } from "../../kubelet/start-obstacles.ts";
import { hasAllEvents } from "../history/events.ts";
import { falseSinceMs, newestAtMs } from "../observed/lookups.ts";
import { greatestOf, leastOf } from "../observed/max-min.ts";
import type { PodObservation } from "../observed/observation.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";
import type { PodContext } from "./pod-context.ts";

interface BegunStart {
  readonly atMs: number;
  readonly isPulling: boolean;
}

export function begunStart(
  { events }: ReplayedContainer,
  finishedAtMs: number,
  { atMs }: PodContext,
): BegunStart | null {
  const newestMs = (reasons: readonly string[]) =>
    newestAtMs(
      events.filter(({ reason }) => reasons.includes(reason)),
      atMs,
    );
  const latestMs = newestMs(["Pulling", "Pulled", "Created"]);
  if (latestMs <= finishedAtMs) return null;
  return { atMs: latestMs, isPulling: newestMs(["Pulled", "Created"]) < latestMs };
}

/**
 * Until the postStart hook ends, the kubelet may not report the container as running (`startContainer`,
 * pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.37.1).
 */
export function hookRunsSince({ spec, events, lastExit }: ReplayedContainer): number | null {
  if (!spec.hasPostStart) return null;
  const startedAtMs = newestAtMs(events.filter(({ reason }) => reason === "Started"));
  return startedAtMs > (lastExit?.finishedAtMs ?? 0) ? startedAtMs : null;
}

export function startLateness(facts: ReplayedContainer, begun: BegunStart | null, context: PodContext): Lateness[] {
  const { spec } = facts;
  const isPulled = begun === null ? spec.imagePullPolicy === "Always" : begun.isPulling;
  return [
    context.runtimeLateness,
    ...(begun === null && isRecovering(facts) ? [latenessOf(RECOVERY, [])] : []),
    ...(isPulled ? [pullLateness(facts)] : []),
  ];
}

export function isRecovering({ lastCause }: ReplayedContainer): boolean {
  return lastCause?.stoppedWith === "node";
}

/** Pulls before the first known start do not count, because the node may not have had the image yet. */
function pullLateness({ events }: ReplayedContainer): Lateness {
  const startedAtMs = events.flatMap(({ reason, firstAtMs }) => (reason === "Started" ? (firstAtMs ?? []) : []));
  const sinceMs = startedAtMs.length === 0 ? 0 : leastOf(startedAtMs);
  const later = events.filter(({ reason, firstAtMs }) => reason === "Pulled" && (firstAtMs ?? 0) >= sinceMs);
  const tookMs = later.flatMap(({ message }) => pullTookMs(message) ?? []);
  return latenessOf(PULL, tookMs);
}

export function runtimeLateness(context: Omit<PodContext, "runtimeLateness">): Lateness {
  const pod = context.containers.map(({ facts }) => facts);
  return latenessOf(RUNTIME, [
    ...pod.flatMap((one) => startsTook(one, context)),
    ...noticingTook(pod, context.observed),
  ]);
}

function startsTook(
  { events, runs }: ReplayedContainer,
  { observed, policy }: Pick<PodContext, "observed" | "policy">,
): number[] {
  const isComplete = hasAllEvents(observed, "Normal", policy.traits);
  return runs.flatMap(({ startedAtMs }, index) => {
    if (startedAtMs === null) return [];
    const exitedAtMs = runs[index - 1]?.finishedAtMs ?? (isComplete ? startedAtMs - RUNTIME.longestMs : startedAtMs);
    const begunAtMs = events
      .filter(({ reason }) => reason === "Pulled" || reason === "Created")
      .flatMap(({ lastAtMs }) => lastAtMs ?? [])
      .filter((atMs) => atMs > exitedAtMs && atMs <= startedAtMs);
    return begunAtMs.length === 0 ? [] : [startedAtMs - leastOf(begunAtMs)];
  });
}

/** Assumed: the last exit before the condition ContainersReady became False is the reason for the change. */
function noticingTook(pod: readonly ReplayedContainer[], observed: PodObservation): number[] {
  const noticedAtMs = falseSinceMs(observed.pod, "ContainersReady");
  if (noticedAtMs === null) return [];
  const exits = pod.flatMap(({ runs }) => runs.flatMap(({ finishedAtMs }) => finishedAtMs ?? []));
  const tookMs = noticedAtMs - greatestOf(exits.filter((atMs) => atMs <= noticedAtMs));
  return tookMs <= RUNTIME.longestMs ? [tookMs] : [];
}
