import { entryAfterStart, waitAfter } from "../../kubelet/do-backoff.ts";
import { meaningOfEvent } from "../../kubelet/event-messages.ts";
import { SIGKILL_EXIT_CODE } from "../../kubelet/exit-codes.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { longestLatenessMs, SECOND_MS } from "../../kubelet/retry-rule.ts";
import type { NextExit } from "../answer/explanation.ts";
import { runLengthMs } from "../history/runs.ts";
import { shortestRunMs } from "../history/suspected-kill.ts";
import type { ContainerSpec, PodObservation, Probe } from "../observed/observation.ts";
import type { Belief } from "../replay/beliefs.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import { type PossibleDelays, possibleDelays } from "./possible-delays.ts";

/** The possible errors, with probabilities, of a difference between two instants that are cut to whole seconds. */
const TRUNCATION_ERRORS = [
  { errorMs: -600, share: 0.25 },
  { errorMs: 0, share: 0.5 },
  { errorMs: 600, share: 0.25 },
] as const;

/**
 * Returns the wait after each way in which a running instance can end, the likely way first. A probe that killed the
 * last instance probably kills this one, too; then the kubelet counts the wait from the previous exit (`doBackOff`).
 * `own`: the delay after an exit by itself.
 */
export function nextExits(
  facts: ContainerFacts,
  observed: PodObservation,
  own: PossibleDelays,
  policy: CrashLoopPolicy,
  atMs: number,
): NextExit[] {
  const startedAtMs = facts.runs.at(-1)?.startedAtMs ?? null;
  const kill = pendingKill(facts, observed);
  if (kill?.cause === "spec-change") return [byItself({ delayMs: 0 }, true)];
  const probe = kill?.cause ?? killingProbe(facts);
  if (probe === null || startedAtMs === null) return [byItself(own, true)];
  // An instance that still runs has not exited before now.
  const expected = expectedKills(facts, probe, startedAtMs, kill, observed.pod.gracePeriodMs).map((exit) => {
    return { ...exit, atMs: Math.max(exit.atMs, atMs) };
  });
  const killed = isExitRecordGone(facts) ? { delayMs: 0 } : delayIfKilled(facts.beliefs, expected, policy);
  if (kill !== null) return [byProbe(probe, killed, true)];
  return wasKilledBy(facts, probe)
    ? [byProbe(probe, killed, true), byItself(own, false)]
    : [byItself(own, true), byProbe(probe, killed, false)];
}

function byItself(delays: PossibleDelays, likely: boolean): NextExit {
  return { how: "exits", probe: null, ...delays, likely };
}

function byProbe(probe: KillingProbe, delays: PossibleDelays, likely: boolean): NextExit {
  return { how: "killed-by-probe", probe, ...delays, likely };
}

/**
 * Whether the runtime has lost the record of the previous exit. If so, the kubelet starts the next instance immediately
 * after a kill. Older kubelets then report restarts without a lastState (measured on v1.33.13).
 */
function isExitRecordGone({ status }: ContainerFacts): boolean {
  return status !== null && status.restartCount > 0 && status.lastState === null;
}

function wasKilledBy({ runs }: ContainerFacts, probe: KillingProbe): boolean {
  const last = runs.findLast(({ exit }) => exit !== null);
  return last?.cause.cause === probe && last.cause.killedBySync > 0.5;
}

/** Returns the delays after a kill, over all back-offs that are possible and all instants of the exit. */
function delayIfKilled(
  beliefs: readonly Belief[],
  exits: readonly ExpectedExit[],
  policy: CrashLoopPolicy,
): PossibleDelays {
  const shares = new Map<number, number>();
  for (const { entry, previousFinishedAtMs, share } of beliefs) {
    for (const exit of exits) {
      for (const { errorMs, share: shareOfError } of TRUNCATION_ERRORS) {
        const finishedAtMs = exit.atMs + errorMs;
        const { delayMs } = waitAfter(entry, previousFinishedAtMs, { finishedAtMs, killedBySync: true }, policy);
        shares.set(delayMs, (shares.get(delayMs) ?? 0) + share * exit.share * shareOfError);
      }
    }
  }
  return possibleDelays([...shares].map(([delayMs, share]) => ({ delayMs, share })));
}

/**
 * Returns the waits after the run that follows the present wait, the likely way to end first. If a kill's delay depends
 * on the second at which the run starts, the result has both delays.
 */
export function exitsAfterNextStart(
  facts: ContainerFacts,
  { wait, entry, finishedAtMs }: CurrentWait,
  gracePeriodMs: number,
  policy: CrashLoopPolicy,
): NextExit[] {
  const startsAtMs = [wait.readyAtMs, wait.readyAtMs + longestLatenessMs(policy.retry, wait.delayMs)];
  const beliefs = startsAtMs.map((atMs): Belief => {
    const after = entryAfterStart(entry, wait, atMs, policy);
    return { entry: after, previousFinishedAtMs: finishedAtMs, share: 1, rules: [] };
  });
  const delayMs = beliefs[0]?.entry?.delayMs ?? 0;
  const probe = killingProbe(facts);
  if (probe === null || !wasKilledBy(facts, probe)) return [byItself({ delayMs }, true)];
  const delaysMs = startsAtMs.map((startedAtMs, index) => {
    const kills = expectedKills(facts, probe, startedAtMs, null, gracePeriodMs);
    return delayIfKilled(beliefs.slice(index, index + 1), kills, policy).delayMs;
  });
  return [...[...new Set(delaysMs)].map((ms) => byProbe(probe, { delayMs: ms }, true)), byItself({ delayMs }, false)];
}

type KillingProbe = "liveness-probe" | "startup-probe";

/** Returns the probe that can kill the instance; null without one. A startup probe comes before a liveness probe. */
function killingProbe({ spec, status, isRunning }: ContainerFacts): KillingProbe | null {
  if (spec.startupProbe !== null && (!isRunning || status?.started !== true)) return "startup-probe";
  return spec.livenessProbe === null ? null : "liveness-probe";
}

function probeOf({ startupProbe, livenessProbe }: ContainerSpec, cause: KillingProbe): Probe | null {
  return cause === "startup-probe" ? startupProbe : livenessProbe;
}

/** An instant at which a killed instance may exit, and its probability. */
interface ExpectedExit {
  readonly atMs: number;
  readonly share: number;
}

/** The assumed time from the kubelet's event about a kill to the exit of a program that obeys SIGTERM. */
const KILL_LATENCY_MS = 500;

/**
 * Returns when an instance that started at `startedAtMs` exits if its probe kills it. The kubelet's prober keeps one
 * ticker for a container across its restarts (`worker.run`, pkg/kubelet/prober/worker.go, v1.31.4 to v1.37.1). So the
 * next kill comes a whole number of periods after the last one, at the first tick that the probe's settings allow.
 * Measured: exits stay within a second of that until the kubelet restarts.
 */
function expectedKills(
  facts: ContainerFacts,
  cause: KillingProbe,
  startedAtMs: number,
  kill: PendingKill | null,
  graceMs: number,
): ExpectedExit[] {
  const probe = probeOf(facts.spec, cause);
  if (probe === null) return [];
  const last = lastKilledRun(facts, probe.gracePeriodMs ?? graceMs);
  if (kill !== null) return [{ atMs: kill.atMs + KILL_LATENCY_MS + (last?.stoppingMs ?? 0), share: 1 }];
  const settingsMs = shortestRunMs(probe);
  if (last === null) return spreadOver(startedAtMs + settingsMs, probe.periodMs);
  const leastMs = settingsMs + last.stoppingMs;
  const failsFromStart = last.ranMs <= leastMs + probe.periodMs + 2 * SECOND_MS;
  if (!failsFromStart) return spreadOver(startedAtMs + last.ranMs - probe.periodMs, 2 * probe.periodMs);
  return atTicks(startedAtMs + leastMs, last, leastMs, probe);
}

interface KilledRun {
  readonly ranMs: number;
  readonly finishedAtMs: number;
  /** The time from the kill to the exit: the grace period if the instance ignored SIGTERM, else 0. */
  readonly stoppingMs: number;
}

function lastKilledRun({ runs }: ContainerFacts, graceMs: number): KilledRun | null {
  const run = runs.findLast(({ cause: { cause } }) => cause === "liveness-probe" || cause === "startup-probe");
  if (run === undefined || run.startedAtMs === null || run.finishedAtMs === null) return null;
  const stoppingMs = run.exit?.exitCode === SIGKILL_EXIT_CODE ? graceMs : 0;
  return { ranMs: runLengthMs(run), finishedAtMs: run.finishedAtMs, stoppingMs };
}

/** The most instants of an exit. More do not change the likeliest delay, but a probe's period can be 68 years. */
const MAX_INSTANTS = 3_600;

/** Spreads equally likely instants over a range: one per second, or fewer if the range is long. */
function spreadOver(fromMs: number, lengthMs: number): ExpectedExit[] {
  const count = Math.min(Math.max(1, Math.round(lengthMs / SECOND_MS)), MAX_INSTANTS);
  const stepMs = count < MAX_INSTANTS ? SECOND_MS : lengthMs / count;
  return Array.from({ length: count }, (_, index) => ({ atMs: fromMs + (index + 0.5) * stepMs, share: 1 / count }));
}

/** The probability that a tick at the earliest instant is too early. It is low: the kubelet compares whole seconds. */
const NEXT_TICK = 0.2;
/** The probability that a slow node makes the next run end at the other one of two ticks than the last run did. */
const LEFT_OPEN = 0.05;

/**
 * Returns the first instant from `earliestMs` on that is a whole number of periods after the previous exit. If that is
 * `earliestMs` itself, the kill may also come a period later: timestamps hide fractions of a second. If the last run
 * was killed at one of these two ticks, that tick is likelier.
 */
function atTicks(earliestMs: number, last: KilledRun, leastMs: number, { periodMs }: Probe): ExpectedExit[] {
  const sinceMs = (((earliestMs - last.finishedAtMs) % periodMs) + periodMs) % periodMs;
  if (sinceMs !== 0) return [{ atMs: earliestMs + periodMs - sinceMs, share: 1 }];
  const metEdge = Math.abs(last.ranMs - leastMs) < SECOND_MS || Math.abs(last.ranMs - leastMs - periodMs) < SECOND_MS;
  const nextTick = !metEdge ? NEXT_TICK : last.ranMs > leastMs + periodMs / 2 ? 1 - LEFT_OPEN : LEFT_OPEN;
  return [
    { atMs: earliestMs, share: 1 - nextTick },
    { atMs: earliestMs + periodMs, share: nextTick },
  ];
}

/** A kill that the kubelet has announced while the instance still runs. */
export interface PendingKill {
  readonly atMs: number;
  readonly cause: KillingProbe | "spec-change";
  readonly graceMs: number;
}

export function pendingKill({ spec, runs, isRunning }: ContainerFacts, observed: PodObservation): PendingKill | null {
  const startedAtMs = runs.at(-1)?.startedAtMs ?? null;
  if (!isRunning || startedAtMs === null) return null;
  for (const { container, reason, message, lastAtMs } of observed.events) {
    if (container !== spec.name || lastAtMs === null || lastAtMs <= startedAtMs) continue;
    const cause = meaningOfEvent(reason, message);
    if (cause === "spec-change") return { atMs: lastAtMs, cause, graceMs: observed.pod.gracePeriodMs };
    if (cause === "liveness-probe" || cause === "startup-probe") {
      const graceMs = probeOf(spec, cause)?.gracePeriodMs ?? observed.pod.gracePeriodMs;
      return { atMs: lastAtMs, cause, graceMs };
    }
  }
  return null;
}
