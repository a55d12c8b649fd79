import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { isLostByRuntime, LOST_EXIT_CODE, windowsStatusOf } from "../../kubelet/exit-codes.ts";
import type { Cause } from "../answer/explanation.ts";
import { newestOf, statusOf } from "../observed/lookups.ts";
import type { ContainerSpec, PodObservation } from "../observed/observation.ts";
import { isEvicted } from "./events.ts";
import type { NodeStop } from "./node-stops.ts";
import { hasRestartAllRule } from "./restart-rules.ts";
import type { SeenRun } from "./runs.ts";
import { EXIT_SLACK_MS, KILL_SLACK_MS, type Kill, killOf, suspectedKill } from "./suspected-kill.ts";

export interface ExitCause {
  readonly cause: Cause;
  readonly basis: "observed" | "inferred";
  /** The probability, 0 to 1, that a kubelet sync killed the run. The delay then counts from the previous exit. */
  readonly killedBySync: number;
  /**
   * Set if the run did not end by itself. `pod`: its pod was deleted. `eviction`: its pod was evicted. `node`: its node,
   * runtime or sandbox stopped.
   */
  readonly stoppedWith?: "pod" | "eviction" | "node";
  /** The time from the exit to the next start, if only that shows that the node stopped the run. */
  readonly offMs?: number;
  /** The reasons to suspect a kill, in words for the user, e.g. "its exit code". */
  readonly grounds?: readonly string[];
}

/**
 * Returns why a run ended, from its exit record, the events near its end and the kills of earlier runs. `next` is the
 * run after it, `stop` the stop of its node that ended it. The basis is `observed` if no other cause is possible.
 */
export function exitCause(
  run: SeenRun,
  next: SeenRun | undefined,
  stop: NodeStop | null,
  spec: ContainerSpec,
  observed: PodObservation,
  policy: CrashLoopPolicy,
): ExitCause {
  const { exit } = run;
  if (exit === null) return inferred("unknown");
  if (exit.reason === "StartError" || exit.reason === "ContainerCannotRun") return observedCause("start-error");
  const killing = killingEventOf(run, spec, observed);
  if (killing !== null) return observedCause(killing, killing === "post-start-hook" ? 0 : 1);
  if (exit.reason === "OOMKilled") return observedCause("oom");
  if (isLostByRuntime(exit)) return inferred("unknown", stop === null ? {} : { stoppedWith: "node" });
  const state = statusOf(observed.pod, spec.name)?.state;
  const isHookError = state?.kind === "waiting" && state.reason === "PostStartHookError";
  if (isHookError && next === undefined) return observedCause("post-start-hook");
  if (next !== undefined && isNeverRestarted(spec, observed)) return inferred("spec-change", { killedBySync: 1 });
  if (stop !== null) {
    return inferred("unknown", { stoppedWith: "node", ...(stop.offMs !== null && { offMs: stop.offMs }) });
  }
  if (isOfDeletion(run, observed)) return inferred("signal", { stoppedWith: "pod" });
  if (next === undefined && isOfEviction(run, observed)) return inferred("signal", { stoppedWith: "eviction" });
  const suspected = suspectedKill(run, spec, observed, policy);
  const chance = suspected?.chance ?? 0;
  const killedBySync = suspected?.cause === "post-start-hook" ? 0 : chance;
  if (suspected !== null && chance > 0.5) {
    return inferred(suspected.cause, { killedBySync, grounds: suspected.grounds });
  }
  const isStop = windowsStatusOf(exit.exitCode)?.isStop === true;
  const isSignal = exit.signal !== null || (exit.exitCode > 128 && exit.exitCode <= 128 + 64) || isStop;
  const isLost = exit.exitCode === LOST_EXIT_CODE;
  const isSure = exit.signal !== null || (!isSignal && !isLost && chance <= RULED_OUT && !isEnded(observed));
  return { cause: isSignal ? "signal" : "exited", basis: isSure ? "observed" : "inferred", killedBySync };
}

/** The highest chance of a kill if the API has all events of the run and none of them announces a kill. */
const RULED_OUT = 0.02;

function observedCause(cause: Cause, killedBySync = 0): ExitCause {
  return { cause, basis: "observed", killedBySync };
}

function inferred(cause: Cause, more: Partial<ExitCause> = {}): ExitCause {
  return { cause, basis: "inferred", killedBySync: 0, ...more };
}

function isOfDeletion({ finishedAtMs }: SeenRun, { pod }: PodObservation): boolean {
  return pod.deletionRequestedAtMs !== null && (finishedAtMs ?? 0) >= pod.deletionRequestedAtMs;
}

/** Whether the run may have ended with the pod's eviction; without the event, each run of such a pod may. */
function isOfEviction({ finishedAtMs }: SeenRun, observed: PodObservation): boolean {
  const event = observed.events.find(({ reason }) => reason === "Evicted");
  const evictedAtMs = event?.firstAtMs ?? Number.NEGATIVE_INFINITY;
  return isEvicted(observed) && (finishedAtMs ?? 0) >= evictedAtMs - EXIT_SLACK_MS;
}

/** Whether the pod failed, e.g. by eviction, so that the kubelet may have stopped its containers. */
function isEnded({ pod }: PodObservation): boolean {
  return pod.phase === "Failed" && pod.reason !== null;
}

/**
 * Whether the kubelet restarts the container only after a change of its spec: "restart regardless of the restart
 * policy" (`computePodActions`, pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.34.4 and v1.37.1).
 */
function isNeverRestarted(spec: ContainerSpec, { pod }: PodObservation): boolean {
  const isPlain = spec.type === "app" && spec.restartPolicyRules.length === 0 && !hasRestartAllRule(pod);
  return isPlain && pod.restartPolicy === "Never" && (spec.restartPolicy ?? "Never") === "Never";
}

/** Returns the kill that an event announced within the grace period before the run's end; null if none did. */
function killingEventOf(run: SeenRun, spec: ContainerSpec, { pod, events }: PodObservation): Kill | null {
  const endMs = run.finishedAtMs ?? 0;
  const ofProbes = [spec.livenessProbe?.gracePeriodMs ?? 0, spec.startupProbe?.gracePeriodMs ?? 0];
  const graceMs = Math.max(pod.gracePeriodMs, ...ofProbes) + KILL_SLACK_MS;
  const fromMs = Math.max(run.startedAtMs ?? 0, endMs - graceMs);
  const isInside = (atMs: number | null) => atMs !== null && atMs >= fromMs - 1000 && atMs <= endMs + EXIT_SLACK_MS;
  const near = events.filter(
    (event) =>
      event.container === spec.name &&
      (isInside(event.lastAtMs) || isInside(event.firstAtMs)) &&
      killOf(event) !== null,
  );
  const newest = newestOf(near);
  return newest === undefined ? null : killOf(newest);
}
