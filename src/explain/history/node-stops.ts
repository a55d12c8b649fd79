import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { delayMsInMessage, meaningOfEvent } from "../../kubelet/event-messages.ts";
import { isLostByRuntime, LOST_EXIT_CODE, STOP_EXIT_CODES } from "../../kubelet/exit-codes.ts";
import { conditionOf, statusOf } from "../observed/lookups.ts";
import type {
  ContainerSpec,
  ContainerStatus,
  PodObservation,
  PodSnapshot,
  TerminatedState,
} from "../observed/observation.ts";
import { type ObservedRun, runLengthMs } from "./runs.ts";

/** When a node stops, all its containers exit within this time of each other. */
const STOP_TOGETHER_MS = 10_000;
/**
 * So many of the node's other pods, and this share of them, must have ended together with the run. A share is enough,
 * because a later exit replaces the record of an earlier one.
 */
const ENOUGH_PODS = 2;
const ENOUGH_SHARE = 1 / 3;
/** Shorter runs that end together are no sign of a stop: short programs that start together also end together. */
const LONG_ENOUGH_MS = 60_000;
/** The node controller notices within this time that a kubelet is gone (--node-monitor-grace-period 50 s, plus 5 s). */
const NOTICED_MS = 60_000;
/** A node that joins its cluster becomes Ready within about this time after its creation. */
const JOINING_MS = 120_000;
/** A node that stops takes at least this time until it is up again and the pod has a new sandbox. */
const SHORTEST_STOP_MS = 5_000;

/** A stop of the node, the container runtime or the pod's sandbox that ended a run. */
export interface NodeStop {
  readonly stoppedWith: "node";
  /** The time from the exit to the next start; left out unless only this time shows the stop. */
  readonly offMs?: number;
}

/**
 * In a stop, the kubelet loses its back-off record. So there was none if the kubelet reports a delay after the exit, or
 * if another container of the pod ran on. A container of another pod that ran on disproves all but a new sandbox.
 */
export function nodeStopOf(
  run: ObservedRun,
  next: ObservedRun | undefined,
  spec: ContainerSpec,
  observed: PodObservation,
  policy: CrashLoopPolicy,
): NodeStop | null {
  const { exit, finishedAtMs } = run;
  const { pod } = observed;
  if (exit === null || finishedAtMs === null || (next === undefined && isBackingOff(spec.name, pod))) return null;
  // An init container that has done its work runs again only because the stop came later.
  if (spec.type === "init" && exit.exitCode === 0) return null;
  const pause: Pause = { run, exit, fromMs: finishedAtMs, toMs: next?.startedAtMs ?? null };
  if (hasRunAcross([pod], pause)) return null;
  if (next !== undefined && hasNewSandbox(pause, spec.name, observed)) return SHOWN;
  if (hasRunAcross(othersOf(observed), pause)) return null;
  const isShown =
    isLostByRuntime(exit) ||
    wasTakenAgain(pause, pod) ||
    endedTogether(pause, observed) ||
    (next !== undefined && wasNodeAway(pause, observed));
  if (isShown) return SHOWN;
  const offMs = next === undefined ? null : unexplainedPauseMs(pause, policy);
  return offMs === null ? null : { ...SHOWN, offMs };
}

const SHOWN: NodeStop = { stoppedWith: "node" };

/** The time from the end of `run` to the next start; `toMs` is null if there is no next start yet. */
interface Pause {
  readonly run: ObservedRun;
  readonly exit: TerminatedState;
  readonly fromMs: number;
  readonly toMs: number | null;
}

function pauseMs({ fromMs, toMs }: Pause): number {
  return toMs === null ? Number.POSITIVE_INFINITY : toMs - fromMs;
}

function isBackingOff(container: string, pod: PodSnapshot): boolean {
  const state = statusOf(pod, container)?.state ?? null;
  return state?.kind === "waiting" && delayMsInMessage(state.message) !== null;
}

function othersOf({ pod, neighbours = [] }: PodObservation): PodSnapshot[] {
  return neighbours.filter(({ uid, name }) => name !== pod.name || uid !== pod.uid);
}

/** Whether a container of the pods started before the pause, and still runs or ended after the pause. */
function hasRunAcross(pods: readonly PodSnapshot[], { fromMs, toMs }: Pause): boolean {
  const untilMs = Math.max(toMs ?? fromMs + NOTICED_MS, fromMs + STOP_TOGETHER_MS);
  const isBefore = (atMs: number | null) => atMs !== null && atMs < fromMs;
  return pods
    .flatMap(({ statuses }) => statuses)
    .some((status) => {
      const isStillRunning = status.state?.kind === "running" && isBefore(status.state.startedAtMs);
      const hasEndedLater = ({ startedAtMs, finishedAtMs }: TerminatedState) =>
        isBefore(startedAtMs) && (finishedAtMs ?? 0) > untilMs;
      return isStillRunning || recordsOf(status).some(hasEndedLater);
    });
}

function recordsOf({ state, lastState }: ContainerStatus): TerminatedState[] {
  return [lastState, state?.kind === "terminated" ? state : null].filter((record) => record !== null);
}

/**
 * `status.startTime` is later than an exit only if a kubelet accepted the pod again. The startTime of a static pod is
 * always the last start of its kubelet.
 */
function wasTakenAgain(pause: Pause, { startedAtMs }: PodSnapshot): boolean {
  if (startedAtMs === null || startedAtMs <= pause.fromMs) return false;
  return (pause.toMs === null || startedAtMs <= pause.toMs) && isLikelierInRun(pause);
}

/** Whether the stop probably came during the run and not during the pause after it. */
function isLikelierInRun(pause: Pause): boolean {
  return pause.toMs === null || pause.exit.exitCode === LOST_EXIT_CODE || runLengthMs(pause.run) >= pauseMs(pause);
}

/** Replicas of one workload can crash together without a stop, so there must be three workloads. */
function endedTogether(pause: Pause, observed: PodObservation): boolean {
  // The runtime writes this code, and its time, only when it is back.
  if (pauseMs(pause) < SHORTEST_STOP_MS && pause.exit.exitCode !== LOST_EXIT_CODE) return false;
  if (hasDoneItsWork(pause.exit, observed.pod)) return false;
  const others = othersOf(observed);
  const ended = others.filter((other) =>
    other.statuses.flatMap(recordsOf).some((end) => isAtTheSameTime(end) && !hasDoneItsWork(end, other)),
  );
  const owners = new Set([observed.pod, ...ended].map(({ name, owner }) => owner?.name ?? name));
  return ended.length >= Math.max(ENOUGH_PODS, others.length * ENOUGH_SHARE) && owners.size > ENOUGH_PODS;

  function isAtTheSameTime(end: TerminatedState): boolean {
    const isTelling = end.exitCode === LOST_EXIT_CODE || runLengthMs(end) >= LONG_ENOUGH_MS;
    return isTelling && Math.abs((end.finishedAtMs ?? 0) - pause.fromMs) <= STOP_TOGETHER_MS;
  }
}

/** Whether a container that may end reported success, e.g. the container of a Job: then nothing stopped it. */
function hasDoneItsWork({ exitCode }: TerminatedState, { restartPolicy }: PodSnapshot): boolean {
  return exitCode === 0 && restartPolicy !== "Always";
}

/**
 * Whether the pod got a new sandbox after the run: another init container ran during the pause, or an event near the
 * exit says "Stopping container".
 */
function hasNewSandbox({ fromMs, toMs }: Pause, name: string, { pod, events }: PodObservation): boolean {
  const untilMs = toMs ?? fromMs;
  const hasRunAgain = pod.containers.some(({ name: init, type }) => {
    const state = type === "init" && init !== name ? statusOf(pod, init)?.state : null;
    if (state?.kind !== "terminated") return false;
    return (state.startedAtMs ?? 0) >= fromMs && (state.finishedAtMs ?? Number.POSITIVE_INFINITY) <= untilMs;
  });
  const isStop = (reason: string, message: string) => meaningOfEvent(reason, message) === "pod-deletion";
  const isNear = (atMs: number) => Math.abs(atMs - fromMs) <= pod.gracePeriodMs + STOP_TOGETHER_MS && atMs <= untilMs;
  return (
    hasRunAgain ||
    events.some(
      ({ container, reason, message, lastAtMs }) =>
        container === name && isStop(reason, message) && isNear(lastAtMs ?? 0),
    )
  );
}

/** Whether the node's condition Ready last changed because of a stop that ended the run. */
function wasNodeAway(pause: Pause, { node }: PodObservation): boolean {
  const ready = node === null ? undefined : conditionOf(node, "Ready");
  const changedAtMs = ready?.lastTransitionAtMs ?? null;
  if (node === null || ready === undefined || changedAtMs === null || pause.toMs === null) return false;
  // A node that has just joined the cluster became Ready for the first time.
  if (changedAtMs - (node.createdAtMs ?? Number.NEGATIVE_INFINITY) <= JOINING_MS) return false;
  if (pauseMs(pause) < SHORTEST_STOP_MS || !isLikelierInRun(pause)) return false;
  // Nothing starts on a node whose kubelet does not respond. Only a kubelet that is back reports True or False.
  const latestMs = ready.status === "Unknown" ? pause.toMs : pause.toMs + NOTICED_MS;
  return changedAtMs >= pause.fromMs && changedAtMs <= latestMs;
}

/** The longest time from a sync to the start of a container on a node that works. */
const LONGEST_START_MS = 45_000;
/** A longer pause shows a stop even after a run that is too short for a reset, because nothing else takes so long. */
const OFF_MS = 3_600_000;

/**
 * Returns the length of the pause if no back-off explains it, so that the node was probably off; else null. After a run
 * longer than `resetAfterMs`, the kubelet restarts a container immediately. After a shorter one, the node may have
 * stopped only during the wait.
 */
function unexplainedPauseMs(pause: Pause, policy: CrashLoopPolicy): number | null {
  const ms = pauseMs(pause);
  const ranMs = runLengthMs(pause.run);
  if (ranMs > policy.resetAfterMs) return ms > LONGEST_START_MS ? ms : null;
  const isStop = STOP_EXIT_CODES.includes(pause.exit.exitCode) && ranMs >= LONG_ENOUGH_MS;
  return isStop && ms > OFF_MS ? ms : null;
}
