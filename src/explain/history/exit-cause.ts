import { isLostByRuntime, LOST_EXIT_CODE, windowsStatusOf } from "../../kubelet/exit-codes.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { Cause } from "../answer/explanation.ts";
import { statusOf } from "../observed/lookups.ts";
import type { ContainerSpec, PodObservation } from "../observed/observation.ts";
import { isNodeStop } from "./node-stops.ts";
import { hasRestartAllRule } from "./restart-rules.ts";
import type { SeenRun } from "./runs.ts";
import { EXIT_SLACK_MS, KILL_SLACK_MS, type Kill, killOf, suspectedKill } from "./suspected-kill.ts";

/** Why a run ended, and how sure it is that the kubelet's sync killed it (which puts the back-off one exit behind). */
export interface ExitCause {
  readonly cause: Cause;
  readonly basis: "observed" | "inferred";
  /** 0 to 1. */
  readonly killedBySync: number;
  /** It did not end by itself: the kubelet deleted its pod, or something stopped the pod's sandbox or its node. */
  readonly stoppedWith?: "pod" | "node";
  /** What speaks for a suspected kill, in words. */
  readonly grounds?: readonly string[];
}

/**
 * The cause of a finished run, from its record, from the events near its end, and from what killed the runs before it.
 * `next`: the instance that was started since. An exit counts as observed where nothing else is possible.
 */
export function exitCause(
  run: SeenRun,
  next: SeenRun | undefined,
  spec: ContainerSpec,
  observed: PodObservation,
  policy: CrashLoopPolicy,
): ExitCause {
  const { exit } = run;
  if (exit === null) return { cause: "unknown", basis: "inferred", killedBySync: 0 };
  if (exit.reason === "StartError" || exit.reason === "ContainerCannotRun") return observedCause("start-error", 0);
  const killing = killingEventOf(run, spec, observed);
  if (killing !== null) return observedCause(killing, killing === "post-start-hook" ? 0 : 1);
  if (exit.reason === "OOMKilled") return observedCause("oom", 0);
  if (isLostByRuntime(exit)) return { cause: "unknown", basis: "inferred", killedBySync: 0 };
  const waiting = statusOf(observed.pod, spec.name)?.state;
  if (waiting?.kind === "waiting" && waiting.reason === "PostStartHookError")
    return observedCause("post-start-hook", 0);
  if (next !== undefined && isNeverRestarted(spec, observed)) {
    return { cause: "spec-change", basis: "inferred", killedBySync: 1 };
  }
  if (isNodeStop(run, next, spec.name, observed))
    return { cause: "unknown", basis: "inferred", killedBySync: 0, stoppedWith: "node" };
  if (isOfDeletion(run, observed)) return { cause: "signal", basis: "inferred", killedBySync: 0, stoppedWith: "pod" };
  const suspected = suspectedKill(run, spec, observed, policy);
  const chance = suspected?.chance ?? 0;
  const killedBySync = suspected?.cause === "post-start-hook" ? 0 : chance;
  if (suspected !== null && chance > 0.5) {
    return { cause: suspected.cause, basis: "inferred", killedBySync, grounds: suspected.grounds };
  }
  const isStop = windowsStatusOf(exit.exitCode)?.isStop === true;
  const isSignal = exit.signal !== null || (exit.exitCode > 128 && exit.exitCode <= 128 + 64) || isStop;
  const isLost = exit.exitCode === LOST_EXIT_CODE;
  const isSure = exit.signal !== null || (!isSignal && !isLost && chance <= RULED_OUT && !isEnded(observed));
  return { cause: isSignal ? "signal" : "exited", basis: isSure ? "observed" : "inferred", killedBySync };
}

/** All events of the run are there, and none of a kill. */
const RULED_OUT = 0.02;

/** The kubelet stops the containers of a deleted pod, unless they have exited before. */
function isOfDeletion({ finishedAtMs }: SeenRun, { pod }: PodObservation): boolean {
  return pod.deletionRequestedAtMs !== null && (finishedAtMs ?? 0) >= pod.deletionRequestedAtMs;
}

/** A pod that was evicted, or ran out of time, may have had its containers stopped. */
function isEnded({ pod }: PodObservation): boolean {
  return pod.phase === "Failed" && pod.reason !== null;
}

/**
 * No exit and no failed probe is followed by a start, but a change of the spec is: "restart regardless of the restart
 * policy" (`computePodActions`, pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.34.4 and v1.37.1).
 */
function isNeverRestarted(spec: ContainerSpec, { pod }: PodObservation): boolean {
  const isPlain = spec.type === "app" && spec.restartPolicyRules.length === 0 && !hasRestartAllRule(pod);
  return isPlain && pod.restartPolicy === "Never" && (spec.restartPolicy ?? "Never") === "Never";
}

function observedCause(cause: Cause, killedBySync: number): ExitCause {
  return { cause, basis: "observed", killedBySync };
}

/** The kill whose first or last event falls between the run's start and its end. */
function killingEventOf(run: SeenRun, spec: ContainerSpec, observed: PodObservation): Kill | null {
  const endMs = run.finishedAtMs ?? 0;
  const graceMs = longestGraceMs(spec, observed) + KILL_SLACK_MS;
  const fromMs = Math.max(run.startedAtMs ?? 0, endMs - graceMs);
  const isInside = (atMs: number | null) => atMs !== null && atMs >= fromMs - 1000 && atMs <= endMs + EXIT_SLACK_MS;
  for (const event of observed.events) {
    if (event.container !== spec.name) continue;
    const kill = killOf(event);
    if (kill !== null && (isInside(event.lastAtMs) || isInside(event.firstAtMs))) return kill;
  }
  return null;
}

function longestGraceMs(spec: ContainerSpec, observed: PodObservation): number {
  const ofProbes = [spec.livenessProbe?.gracePeriodMs ?? 0, spec.startupProbe?.gracePeriodMs ?? 0];
  return Math.max(observed.pod.gracePeriodMs, ...ofProbes);
}
