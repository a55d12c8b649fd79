import { delayMsInMessage, meaningOfEvent } from "../../kubelet/event-messages.ts";
import { conditionOf, statusOf } from "../observed/lookups.ts";
import type { PodObservation, PodSnapshot } from "../observed/observation.ts";
import type { SeenRun } from "./runs.ts";

/** Pods that stop together with their node end within this of each other. */
const TOGETHER_MS = 10_000;
/** So many others, and such a share of all others on the node, have to end as well; later exits hide some of them. */
const ENOUGH_PODS = 2;
const ENOUGH_SHARE = 1 / 3;
/** The node controller notices a kubelet that is gone within this (`--node-monitor-grace-period`, 50 s, and a period of 5 s). */
const NOTICED_MS = 60_000;

/**
 * Whether the run ended because its node, the container runtime or the pod's sandbox stopped: then the gap to the next start
 * is no wait, and what the kubelet remembered is gone. A kubelet that names a delay after the exit remembers it.
 */
export function isNodeStop(run: SeenRun, next: SeenRun | undefined, name: string, observed: PodObservation): boolean {
  const { exit, finishedAtMs } = run;
  if (exit === null || finishedAtMs === null || (next === undefined && isBackingOff(name, observed.pod))) return false;
  // containerd, pkg/cri/server/restart.go: the reason of a container that ended while containerd was down
  if (exit.reason === "Unknown") return true;
  if ((observed.pod.startedAtMs ?? 0) > finishedAtMs) return true;
  return (
    endedTogether(finishedAtMs, observed) ||
    (next !== undefined &&
      (hasNewSandbox(finishedAtMs, next, name, observed) || wasNodeAway(finishedAtMs, next, observed)))
  );
}

function isBackingOff(container: string, pod: PodSnapshot): boolean {
  const state = statusOf(pod, container)?.state ?? null;
  return state?.kind === "waiting" && delayMsInMessage(state.message) !== null;
}

/** Replicas of one workload may crash together; pods of several do only if their node stops. */
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

/** The kubelet says that it stops the container as a whole, or an init container has run again since: only a new sandbox does that. */
function hasNewSandbox(
  fromMs: number,
  { startedAtMs }: SeenRun,
  name: string,
  { pod, events }: PodObservation,
): boolean {
  const toMs = startedAtMs ?? fromMs;
  const isInit = new Set(pod.containers.filter(({ type }) => type === "init").map((spec) => spec.name));
  const hasRunAgain = pod.statuses.some(
    ({ name: other, state }) =>
      other !== name &&
      isInit.has(other) &&
      state?.kind === "terminated" &&
      (state.startedAtMs ?? 0) >= fromMs &&
      (state.finishedAtMs ?? Number.POSITIVE_INFINITY) <= toMs,
  );
  return (
    hasRunAgain ||
    events.some(
      ({ container, reason, message, lastAtMs }) =>
        container === name &&
        meaningOfEvent(reason, message) === "pod-deletion" &&
        Math.abs((lastAtMs ?? 0) - fromMs) <= pod.gracePeriodMs + TOGETHER_MS &&
        (lastAtMs ?? 0) <= toMs,
    )
  );
}

/** The node became unready about then, or ready again before the next start. */
function wasNodeAway(fromMs: number, { startedAtMs }: SeenRun, { node }: PodObservation): boolean {
  const ready = node === null ? undefined : conditionOf(node, "Ready");
  const changedAtMs = ready?.lastTransitionAtMs ?? null;
  if (ready === undefined || changedAtMs === null) return false;
  if (ready.status === "True") return changedAtMs >= fromMs && changedAtMs <= (startedAtMs ?? fromMs) + NOTICED_MS;
  return Math.abs(changedAtMs - fromMs) <= NOTICED_MS;
}
