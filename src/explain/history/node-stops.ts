import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { delayMsInMessage, meaningOfEvent } from "../../kubelet/event-messages.ts";
import { isLostByRuntime, LOST_EXIT_CODE, STOP_EXIT_CODES } from "../../kubelet/exit-codes.ts";
import { HOUR_MS } from "../../kubelet/go-duration.ts";
import { conditionOf, containerEvents, statusOf } from "../observed/lookups.ts";
import type {
  ContainerSpec,
  ContainerStatus,
  PodObservation,
  PodSnapshot,
  TerminatedState,
} from "../observed/observation.ts";
import { type ObservedRun, runLengthMs } from "./runs.ts";

/** Assumed tolerance for comparing instants of one stop, e.g. the exits of two containers. */
const STOP_TOGETHER_MS = 10_000;
/**
 * Assumed: after a stop, at least this number and this share of the node's other known pods have an exit at about the
 * same time. The share is below 1, because a later exit can replace the record of an earlier exit.
 */
const ENOUGH_PODS = 2;
const ENOUGH_SHARE = 1 / 3;
/**
 * Assumed: the end of a shorter run alone is no sign of a stop, because short programs that start together can also end
 * together.
 */
const LEAST_TELLING_RUN_MS = 60_000;
/**
 * The defaults of kube-controller-manager's --node-monitor-grace-period (50 s) and --node-monitor-period (5 s),
 * v1.37.1, added and rounded up.
 */
const NOTICED_MS = 60_000;
/** Assumed maximum time from a node's creation until the node is Ready. */
const JOINING_MS = 120_000;
/** Assumed minimum time from an exit that a stop caused to the next start. */
const SHORTEST_STOP_MS = 5_000;

/** A stop of the node, or only of its container runtime or of the pod's sandbox. */
export interface NodeStop {
  readonly stoppedWith: "node";
  readonly offMs?: number;
}

export function nodeStopOf(
  run: ObservedRun,
  next: ObservedRun | undefined,
  spec: ContainerSpec,
  observed: PodObservation,
  policy: CrashLoopPolicy,
): NodeStop | null {
  const { exit, finishedAtMs } = run;
  const { pod } = observed;
  // Assumed: a kubelet whose node stopped has lost its back-offs, so a back-off after the exit rules out a stop.
  if (exit === null || finishedAtMs === null || (next === undefined && isBackingOff(spec.name, pod))) return null;
  // Assumed: an init container that exited with 0 had done its work.
  if (spec.type === "init" && exit.exitCode === 0) return null;
  const pause: Pause = { run, exit, fromMs: finishedAtMs, toMs: next?.startedAtMs ?? null };
  if (hasRunAcross([pod], pause)) return null;
  if (next !== undefined && hasNewSandbox(pause, spec.name, observed)) return STOP;
  if (hasRunAcross(othersOf(observed), pause)) return null;
  const isShown =
    isLostByRuntime(exit) ||
    wasAcceptedAgain(pause, pod) ||
    endedTogether(pause, observed) ||
    (next !== undefined && wasNodeAway(pause, observed));
  if (isShown) return STOP;
  const offMs = next === undefined ? null : unexplainedPauseMs(pause, policy);
  return offMs === null ? null : { ...STOP, offMs };
}

const STOP: NodeStop = { stoppedWith: "node" };

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
 * A `status.startTime` after the exit is a sign of a stop, but no proof: the kubelet of a static pod may only have
 * restarted.
 */
function wasAcceptedAgain(pause: Pause, { startedAtMs }: PodSnapshot): boolean {
  if (startedAtMs === null || startedAtMs <= pause.fromMs) return false;
  return (pause.toMs === null || startedAtMs <= pause.toMs) && isStopLikelierInRun(pause);
}

function isStopLikelierInRun(pause: Pause): boolean {
  return pause.toMs === null || pause.exit.exitCode === LOST_EXIT_CODE || runLengthMs(pause.run) >= pauseMs(pause);
}

/**
 * Pods of one owner can crash together without a stop, so this pod and the ended pods must have at least three owners.
 * A pod without an owner counts as its own owner.
 */
function endedTogether(pause: Pause, observed: PodObservation): boolean {
  // A container runtime may record an exit with LOST_EXIT_CODE only when it is back, so the pause can be short.
  if (pauseMs(pause) < SHORTEST_STOP_MS && pause.exit.exitCode !== LOST_EXIT_CODE) return false;
  if (hasDoneItsWork(pause.exit, observed.pod)) return false;
  const others = othersOf(observed);
  const ended = others.filter((other) =>
    other.statuses.flatMap(recordsOf).some((end) => isAtTheSameTime(end) && !hasDoneItsWork(end, other)),
  );
  const owners = new Set([observed.pod, ...ended].map(ownerNameOf));
  return ended.length >= Math.max(ENOUGH_PODS, others.length * ENOUGH_SHARE) && owners.size > ENOUGH_PODS;

  function isAtTheSameTime(end: TerminatedState): boolean {
    const isTelling = end.exitCode === LOST_EXIT_CODE || runLengthMs(end) >= LEAST_TELLING_RUN_MS;
    return isTelling && Math.abs((end.finishedAtMs ?? 0) - pause.fromMs) <= STOP_TOGETHER_MS;
  }
}

/**
 * Assumed: a ReplicaSet is a Deployment's if its name ends like this. The characters are those of `ComputeHash`
 * (pkg/controller/controller_utils.go, v1.37.1).
 */
const TEMPLATE_HASH = /-[bcdf4-9]{6,10}$/;

function ownerNameOf({ name, owner }: PodSnapshot): string {
  return owner?.kind === "ReplicaSet" ? owner.name.replace(TEMPLATE_HASH, "") : (owner?.name ?? name);
}

function hasDoneItsWork({ exitCode }: TerminatedState, { restartPolicy }: PodSnapshot): boolean {
  return exitCode === 0 && restartPolicy !== "Always";
}

/**
 * Before the containers start in a new sandbox, the kubelet can stop running containers ("Stopping container") and run
 * init containers again.
 */
function hasNewSandbox({ fromMs, toMs }: Pause, name: string, observed: PodObservation): boolean {
  const { pod } = observed;
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
    containerEvents(name, observed).some(
      ({ reason, message, lastAtMs }) => isStop(reason, message) && isNear(lastAtMs ?? 0),
    )
  );
}

function wasNodeAway(pause: Pause, { node }: PodObservation): boolean {
  const ready = node === null ? undefined : conditionOf(node, "Ready");
  const changedAtMs = ready?.lastTransitionAtMs ?? null;
  if (node === null || ready === undefined || changedAtMs === null || pause.toMs === null) return false;
  if (changedAtMs - (node.createdAtMs ?? Number.NEGATIVE_INFINITY) <= JOINING_MS) return false;
  if (pauseMs(pause) < SHORTEST_STOP_MS || !isStopLikelierInRun(pause)) return false;
  // If a node is away for long, the node controller sets its condition Ready to "Unknown". When the node is back, the
  // kubelet sets the condition to "True" or "False", possibly only after it has started the container.
  const latestMs = ready.status === "Unknown" ? pause.toMs : pause.toMs + NOTICED_MS;
  return changedAtMs >= pause.fromMs && changedAtMs <= latestMs;
}

/** Assumed maximum time from an exit to the next start on a healthy node, if no back-off delays the start. */
const LONGEST_START_MS = 45_000;
/** Assumed maximum time from an exit to the next start if a back-off delays the start and the node did not stop. */
const LONGEST_PAUSE_MS = HOUR_MS;

function unexplainedPauseMs(pause: Pause, policy: CrashLoopPolicy): number | null {
  const ms = pauseMs(pause);
  const ranMs = runLengthMs(pause.run);
  if (ranMs > policy.resetAfterMs) return ms > LONGEST_START_MS ? ms : null;
  const isStop = STOP_EXIT_CODES.includes(pause.exit.exitCode) && ranMs >= LEAST_TELLING_RUN_MS;
  return isStop && ms > LONGEST_PAUSE_MS ? ms : null;
}
