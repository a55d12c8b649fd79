import { delayMsInMessage, meaningOfEvent } from "../../kubelet/event-messages.ts";
import { conditionOf, statusOf } from "../observed/lookups.ts";
import type { PodObservation, PodSnapshot } from "../observed/observation.ts";
import type { SeenRun } from "./runs.ts";

/** When a node stops, all its containers end within this time. */
const TOGETHER_MS = 10_000;
/**
 * If at least this number and this share of the node's other pods ended at the same time, the node has stopped. A
 * share is enough, because a later exit replaces the record of an earlier one.
 */
const ENOUGH_PODS = 2;
const ENOUGH_SHARE = 1 / 3;
/** The node controller notices within this time that a kubelet is gone (--node-monitor-grace-period 50 s, plus 5 s). */
const NOTICED_MS = 60_000;

/**
 * Whether the run ended because its node, the container runtime or the pod's sandbox stopped. The kubelet then has
 * lost its back-off record. False if the kubelet names a delay after the exit, because it then still has the record.
 */
export function isNodeStop(run: SeenRun, next: SeenRun | undefined, name: string, observed: PodObservation): boolean {
  const { exit, finishedAtMs } = run;
  if (exit === null || finishedAtMs === null || (next === undefined && isBackingOff(name, observed.pod))) return false;
  // containerd, pkg/cri/server/restart.go: the reason of a container that ended while containerd was down
  if (exit.reason === "Unknown" || (observed.pod.startedAtMs ?? 0) > finishedAtMs) return true;
  if (endedTogether(finishedAtMs, observed)) return true;
  if (next === undefined) return false;
  const nextAtMs = next.startedAtMs ?? finishedAtMs;
  return hasNewSandbox(finishedAtMs, nextAtMs, name, observed) || wasNodeAway(finishedAtMs, nextAtMs, observed);
}

function isBackingOff(container: string, pod: PodSnapshot): boolean {
  const state = statusOf(pod, container)?.state ?? null;
  return state?.kind === "waiting" && delayMsInMessage(state.message) !== null;
}

/** Whether pods of several workloads ended at about `atMs`. Replicas of one workload can crash together. */
function endedTogether(atMs: number, { pod, neighbours = [] }: PodObservation): boolean {
  const others = neighbours.filter(({ uid, name }) => name !== pod.name || uid !== pod.uid);
  const ended = others.filter((other) =>
    other.statuses.some(({ state, lastState }) => {
      const ends = [lastState, state?.kind === "terminated" ? state : null];
      return ends.some((end) => Math.abs((end?.finishedAtMs ?? 0) - atMs) <= TOGETHER_MS);
    }),
  );
  const owners = new Set([pod, ...ended].map(({ name, owner }) => owner?.name ?? name));
  return ended.length >= Math.max(ENOUGH_PODS, others.length * ENOUGH_SHARE) && owners.size > ENOUGH_PODS;
}

/** Whether the pod got a new sandbox: an init container ran again, or an event says "Stopping container". */
function hasNewSandbox(fromMs: number, toMs: number, name: string, { pod, events }: PodObservation): boolean {
  const hasRunAgain = pod.containers.some(({ name: init, type }) => {
    const state = type === "init" && init !== name ? statusOf(pod, init)?.state : null;
    if (state?.kind !== "terminated") return false;
    return (state.startedAtMs ?? 0) >= fromMs && (state.finishedAtMs ?? Number.POSITIVE_INFINITY) <= toMs;
  });
  const isStop = (reason: string, message: string) => meaningOfEvent(reason, message) === "pod-deletion";
  const isNear = (atMs: number) => Math.abs(atMs - fromMs) <= pod.gracePeriodMs + TOGETHER_MS && atMs <= toMs;
  return (
    hasRunAgain ||
    events.some(
      ({ container, reason, message, lastAtMs }) =>
        container === name && isStop(reason, message) && isNear(lastAtMs ?? 0),
    )
  );
}

function wasNodeAway(fromMs: number, nextAtMs: number, { node }: PodObservation): boolean {
  const ready = node === null ? undefined : conditionOf(node, "Ready");
  const changedAtMs = ready?.lastTransitionAtMs ?? null;
  if (ready === undefined || changedAtMs === null) return false;
  if (ready.status === "True") return changedAtMs >= fromMs && changedAtMs <= nextAtMs + NOTICED_MS;
  return Math.abs(changedAtMs - fromMs) <= NOTICED_MS;
}
