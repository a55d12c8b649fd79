import { meaningOfEvent } from "../../kubelet/event-messages.ts";
import { isLostByRuntime, LOST_EXIT_CODE, windowsStatusOf } from "../../kubelet/exit-codes.ts";
import type { KubeletTraits } from "../../kubelet/traits.ts";
import type { Cause } from "../answer/explanation.ts";
import type { ContainerSpec, EventSnapshot, PodObservation, Probe } from "../observed/observation.ts";
import { hasRestartAllRule } from "./restart-alls.ts";
import type { SeenRun } from "./runs.ts";

/** Why a run ended, and how sure it is that the kubelet's sync killed it (which puts the back-off one exit behind). */
export interface ExitCause {
  readonly cause: Cause;
  readonly basis: "observed" | "inferred";
  /** 0 to 1. */
  readonly killedBySync: number;
}

/** A kill's event comes before the exit by at most the grace period and some seconds for the runtime. */
const KILL_SLACK_MS = 10_000;
/** Instants are truncated to seconds. */
const EXIT_SLACK_MS = 2_000;
/** Probes may begin early by their own jitter, and periods are counted from the worker's start. */
const PROBE_SLACK_MS = 2_500;

/**
 * The cause of a finished run, from its record, from the events near its end, and from what killed the runs before it.
 * `isFollowed`: another instance has been started since.
 */
export function exitCause(
  run: SeenRun,
  spec: ContainerSpec,
  observed: PodObservation,
  isFollowed: boolean,
  traits: KubeletTraits,
): ExitCause {
  const { exit } = run;
  if (exit === null) return { cause: "unknown", basis: "inferred", killedBySync: 0 };
  if (exit.reason === "StartError" || exit.reason === "ContainerCannotRun") return seen("start-error", 0);
  const killing = killingEventOf(run, spec, observed);
  if (killing !== null) return seen(killing, killing === "post-start-hook" ? 0 : 1);
  if (exit.reason === "OOMKilled") return seen("oom", 0);
  if (isLostByRuntime(exit)) return { cause: "unknown", basis: "inferred", killedBySync: 0 };
  const waiting = observed.pod.statuses.find((status) => status.name === spec.name)?.state;
  if (waiting?.kind === "waiting" && waiting.reason === "PostStartHookError") return seen("post-start-hook", 0);
  if (isFollowed && isNeverRestarted(spec, observed)) {
    return { cause: "spec-change", basis: "inferred", killedBySync: 1 };
  }
  const suspected = suspectedKill(run, spec, observed, traits);
  if (suspected !== null && suspected.cause !== "exited") return suspected;
  const killedBySync = suspected?.killedBySync ?? 0;
  const isStop = windowsStatusOf(exit.exitCode)?.isStop === true;
  const isSignal = exit.signal !== null || (exit.exitCode > 128 && exit.exitCode <= 128 + 64) || isStop;
  const basis = exit.exitCode === LOST_EXIT_CODE ? "inferred" : "observed";
  return { cause: isSignal ? "signal" : "exited", basis, killedBySync };
}

/**
 * No exit and no failed probe is followed by a start, but a change of the spec is: "restart regardless of the restart
 * policy" (`computePodActions`, pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.34.4 and v1.37.1).
 */
function isNeverRestarted(spec: ContainerSpec, { pod }: PodObservation): boolean {
  const isPlain = spec.type === "app" && spec.restartPolicyRules.length === 0 && !hasRestartAllRule(pod);
  return isPlain && pod.restartPolicy === "Never" && (spec.restartPolicy ?? "Never") === "Never";
}

function seen(cause: Cause, killedBySync: number): ExitCause {
  return { cause, basis: "observed", killedBySync };
}

const KILLS = ["liveness-probe", "startup-probe", "spec-change", "post-start-hook"] as const;
type Kill = (typeof KILLS)[number];

function killOf(event: EventSnapshot): Kill | null {
  const meaning = meaningOfEvent(event.reason, event.message);
  return KILLS.find((kill) => kill === meaning) ?? null;
}

/** The kill whose first or last event falls between the run's start and its end. */
function killingEventOf(run: SeenRun, spec: ContainerSpec, observed: PodObservation): Kill | null {
  const endMs = run.finishedAtMs ?? 0;
  const graceMs = graceOf(spec, observed) + KILL_SLACK_MS;
  const fromMs = Math.max(run.startedAtMs ?? 0, endMs - graceMs);
  const isInside = (atMs: number | null) => atMs !== null && atMs >= fromMs - 1000 && atMs <= endMs + EXIT_SLACK_MS;
  for (const event of observed.events) {
    if (event.container !== spec.name) continue;
    const kill = killOf(event);
    if (kill !== null && (isInside(event.lastAtMs) || isInside(event.firstAtMs))) return kill;
  }
  return null;
}

function graceOf(spec: ContainerSpec, observed: PodObservation): number {
  const ofProbes = [spec.livenessProbe?.gracePeriodMs ?? 0, spec.startupProbe?.gracePeriodMs ?? 0];
  return Math.max(observed.pod.gracePeriodMs, ...ofProbes);
}

/** A probe kill whose event was held back or has expired: possible only if the run was long enough for the probe to fail. */
function suspectedKill(
  run: SeenRun,
  spec: ContainerSpec,
  observed: PodObservation,
  traits: KubeletTraits,
): ExitCause | null {
  const ranMs = (run.finishedAtMs ?? 0) - (run.startedAtMs ?? run.finishedAtMs ?? 0);
  const own = observed.events.filter((event) => event.container === spec.name);
  const killedBefore = (probe: Kill) => own.some((event) => killOf(event) === probe);
  const candidates = [
    { probe: spec.livenessProbe, cause: "liveness-probe" as const },
    { probe: spec.startupProbe, cause: "startup-probe" as const },
    { probe: spec.hasPostStart ? NO_PROBE : null, cause: "post-start-hook" as const },
  ].filter(({ probe }) => probe !== null && ranMs + PROBE_SLACK_MS >= shortestRunMs(probe));
  const likely = candidates.find(({ cause }) => killedBefore(cause)) ?? candidates[0];
  if (likely === undefined) return null;
  const kills = own.filter((event) => killOf(event) === likely.cause);
  const chance = chanceOfKill(run, own, kills, areEventsComplete(observed.events, "Normal", traits));
  const killedBySync = likely.cause === "post-start-hook" ? 0 : chance;
  return chance > 0.5
    ? { cause: likely.cause, basis: "inferred", killedBySync }
    : { cause: "exited", basis: "inferred", killedBySync };
}

const NO_PROBE: Probe = { initialDelayMs: 0, periodMs: 0, timeoutMs: 0, failureThreshold: 1, gracePeriodMs: null };

function shortestRunMs(probe: Probe): number {
  return probe.initialDelayMs + (probe.failureThreshold - 1) * probe.periodMs;
}

/**
 * How likely it is that a probe ended this run although no event of that kill was seen. Rough figures: what counts is that
 * a missing event says next to nothing once events are held back, and nearly all while none are.
 */
function chanceOfKill(
  run: SeenRun,
  own: readonly EventSnapshot[],
  kills: readonly EventSnapshot[],
  complete: boolean,
): number {
  const code = run.exit?.exitCode ?? 0;
  const isKillCode = code === 137 || code === 143 || windowsStatusOf(code)?.isStop === true;
  if (kills.length > 0) {
    const laterKill = kills.some((event) => (event.lastAtMs ?? 0) > (run.finishedAtMs ?? 0));
    if (laterKill) return 0.9;
    return complete ? 0.02 : 0.95;
  }
  if (own.length > 0) return complete ? 0.01 : 0.1;
  return isKillCode ? 0.6 : 0.1;
}

/** client-go's `EventSourceObjectSpamFilter`: 25 events at once, then one in 5 minutes (tools/record/events_cache.go, v0.37.1). */
const BURST = 25;

/**
 * Whether the kubelet can have sent every event of this type about the pod: counts include what it held back, so while
 * they add up to less than the burst it held back none. False also if there are no events to judge by.
 */
export function areEventsComplete(
  events: readonly EventSnapshot[],
  type: EventSnapshot["type"],
  { hasEventBurstPerType }: Pick<KubeletTraits, "hasEventBurstPerType">,
): boolean {
  const sharing = hasEventBurstPerType ? events.filter((event) => event.type === type) : events;
  const sent = sharing.reduce((sum, event) => sum + Math.max(1, event.count), 0);
  return events.length > 0 && sent < BURST;
}
