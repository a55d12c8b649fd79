import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { isLostByRuntime, LOST_EXIT_CODE, STOP_EXIT_CODES, windowsStatusOf } from "../../kubelet/exit-codes.ts";
import { type RestartSpec, restartPolicyInForce } from "../../kubelet/restart-policy.ts";
import type { Cause } from "../answer/explanation.ts";
import { containerEvents, newestOf, statusOf } from "../observed/lookups.ts";
import type { ContainerSpec, PodObservation } from "../observed/observation.ts";
import { type KubeletEnding, kubeletEndingOf } from "./events.ts";
import type { NodeStop } from "./node-stops.ts";
import { restartSpecOf } from "./restart-rules.ts";
import type { ObservedRun } from "./runs.ts";
import { signOfChange } from "./spec-change.ts";
import { EXIT_SLACK_MS, KILL_SLACK_MS, type Kill, killOf, suspectedKill } from "./suspected-kill.ts";

export interface ExitCause {
  readonly cause: Cause;
  readonly basis: "observed" | "inferred";
  /**
   * The probability, 0 to 1, that a sync killed the container and then counted the delay from the previous exit, as
   * after a failed liveness probe.
   */
  readonly killedBySync: number;
  /**
   * What probably stopped the container. "pod": the pod's deletion. "node": see `NodeStop`. "sandbox": the replacement
   * of the pod's sandbox, which does not reset the back-off. Others: the kubelet ended the pod for this reason.
   */
  readonly stoppedWith?: "pod" | "node" | "sandbox" | KubeletEnding;
  /** The time from the exit to the next start, if only the length of this pause shows a stop of the node. */
  readonly offMs?: number;
  readonly grounds?: readonly string[];
}

export function exitCause(
  run: ObservedRun,
  next: ObservedRun | undefined,
  stop: NodeStop | null,
  spec: ContainerSpec,
  observed: PodObservation,
  policy: CrashLoopPolicy,
): ExitCause {
  const { exit } = run;
  if (exit === null) return inferred("unknown");
  if (exit.reason === "StartError" || exit.reason === "ContainerCannotRun") return observedCause("start-error");
  const killing = announcedKill(run, spec, observed);
  const restartsInSync = (kill: Kill) => isRestartedBySync(kill, restartSpecOf(spec, observed.pod), policy);
  if (killing !== null) return observedCause(killing, restartsInSync(killing) ? 1 : 0);
  if (exit.reason === "OOMKilled") return observedCause("oom");
  if (isLostByRuntime(exit)) return inferred("unknown", stop === null ? {} : { stoppedWith: "node" });
  const state = statusOf(observed.pod, spec.name)?.state;
  const isHookError = state?.kind === "waiting" && state.reason === "PostStartHookError";
  if (isHookError && next === undefined) return observedCause("post-start-hook");
  const change = signOfChange(run, next, spec, observed);
  if (change !== null) return inferred("spec-change", { killedBySync: 1, grounds: [change] });
  if (stop !== null) return inferred("unknown", stop);
  if (isOfDeletion(run, observed)) return inferred("signal", { stoppedWith: "pod" });
  if (isOfNewSandbox(run, next, observed)) return inferred("signal", { stoppedWith: "sandbox" });
  const ending = next === undefined ? endingBefore(run, observed) : null;
  if (ending !== null) return inferred("signal", { stoppedWith: ending });
  const suspected = suspectedKill(run, spec, observed, policy);
  const chance = suspected?.chance ?? 0;
  const killedBySync = suspected !== null && restartsInSync(suspected.cause) ? chance : 0;
  if (suspected !== null && chance > 0.5) {
    return inferred(suspected.cause, { killedBySync, grounds: suspected.grounds });
  }
  const isStop = windowsStatusOf(exit.exitCode)?.isStop === true;
  const isSignal = exit.signal !== null || (exit.exitCode > 128 && exit.exitCode <= 128 + 64) || isStop;
  const isLost = exit.exitCode === LOST_EXIT_CODE;
  const isSure = exit.signal !== null || (!isSignal && !isLost && chance <= RULED_OUT && !isFailedWithReason(observed));
  return { cause: isSignal ? "signal" : "exited", basis: isSure ? "observed" : "inferred", killedBySync };
}

const RULED_OUT = 0.02;

/**
 * After a failed probe, the sync that kills a container restarts it unless its policy is Never. The sync does not apply
 * restartPolicyRules (`computePodActions`, pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.34.4 and v1.37.1).
 */
function isRestartedBySync(kill: Kill, spec: RestartSpec, { traits }: CrashLoopPolicy): boolean {
  return kill === "spec-change" || (kill !== "post-start-hook" && restartPolicyInForce(spec, traits) !== "Never");
}

function observedCause(cause: Cause, killedBySync = 0): ExitCause {
  return { cause, basis: "observed", killedBySync };
}

function inferred(cause: Cause, more: Partial<ExitCause> = {}): ExitCause {
  return { cause, basis: "inferred", killedBySync: 0, ...more };
}

function isOfDeletion({ finishedAtMs }: ObservedRun, { pod }: PodObservation): boolean {
  return pod.deletionRequestedAtMs !== null && (finishedAtMs ?? 0) >= pod.deletionRequestedAtMs;
}

function isStopCode(code: number): boolean {
  return STOP_EXIT_CODES.includes(code) || windowsStatusOf(code)?.isStop === true;
}

/** Assumed maximum time from the exit of a container whose sandbox ended to the event SandboxChanged. */
const NEW_SANDBOX_MS = 10_000;

/** Assumed: a container that the kubelet stopped for a new sandbox has an exit code of a stop (`isStopCode`). */
function isOfNewSandbox(
  { finishedAtMs, exit }: ObservedRun,
  next: ObservedRun | undefined,
  { pod, events }: PodObservation,
): boolean {
  if (finishedAtMs === null || exit === null || !isStopCode(exit.exitCode)) return false;
  const fromMs = finishedAtMs - pod.gracePeriodMs - KILL_SLACK_MS;
  const untilMs = Math.min(next?.startedAtMs ?? Number.POSITIVE_INFINITY, finishedAtMs + NEW_SANDBOX_MS);
  const isNear = (atMs: number | null) => atMs !== null && atMs >= fromMs && atMs <= untilMs;
  return events.some(
    ({ reason, firstAtMs, lastAtMs }) => reason === "SandboxChanged" && (isNear(firstAtMs) || isNear(lastAtMs)),
  );
}

function endingBefore({ finishedAtMs }: ObservedRun, observed: PodObservation): KubeletEnding | null {
  const ending = kubeletEndingOf(observed);
  const sinceMs = ending?.sinceMs ?? Number.NEGATIVE_INFINITY;
  return ending !== null && (finishedAtMs ?? 0) >= sinceMs - EXIT_SLACK_MS ? ending.reason : null;
}

function isFailedWithReason({ pod }: PodObservation): boolean {
  return pod.phase === "Failed" && pod.reason !== null;
}

function announcedKill(run: ObservedRun, spec: ContainerSpec, observed: PodObservation): Kill | null {
  const { pod } = observed;
  const endMs = run.finishedAtMs ?? 0;
  const ofProbes = [spec.livenessProbe?.gracePeriodMs ?? 0, spec.startupProbe?.gracePeriodMs ?? 0];
  const graceMs = Math.max(pod.gracePeriodMs, ...ofProbes) + KILL_SLACK_MS;
  const fromMs = Math.max(run.startedAtMs ?? 0, endMs - graceMs);
  const isInside = (atMs: number | null) => atMs !== null && atMs >= fromMs - 1000 && atMs <= endMs + EXIT_SLACK_MS;
  const near = containerEvents(spec.name, observed).filter(
    (event) => (isInside(event.lastAtMs) || isInside(event.firstAtMs)) && killOf(event) !== null,
  );
  const newest = newestOf(near);
  return newest === undefined ? null : killOf(newest);
}
