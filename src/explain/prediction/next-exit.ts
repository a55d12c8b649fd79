import { entryAfterStart, waitAfter } from "../../kubelet/do-backoff.ts";
import { meaningOfEvent } from "../../kubelet/event-messages.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import type { NextExit } from "../answer/explanation.ts";
import type { PodObservation, Probe } from "../observed/observation.ts";
import type { Belief } from "../replay/beliefs.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { ContainerFacts } from "../replay/facts.ts";

/** Both instants of a difference are truncated to a second: its error is within one, and zero is the likeliest. */
const TRUNCATION_ERRORS = [
  { errorMs: -600, share: 0.25 },
  { errorMs: 0, share: 0.5 },
  { errorMs: 600, share: 0.25 },
] as const;

/**
 * The wait for each way in which a running instance can end, the likely one first: a container that its probe killed is
 * killed by it again, and then the kubelet counts the wait from the exit before (`doBackOff`). `ownDelayMs` is what an
 * exit by itself has to wait; null if nothing is known.
 */
export function nextExits(
  facts: ContainerFacts,
  observed: PodObservation,
  ownDelayMs: number | null,
  policy: CrashLoopPolicy,
  atMs: number,
): NextExit[] | null {
  if (ownDelayMs === null) return null;
  const startedAtMs = facts.runs.at(-1)?.startedAtMs ?? null;
  const kill = pendingKill(facts, observed);
  if (kill?.cause === "spec-change") return [{ how: "exits", probe: null, delayMs: 0, likely: true }];
  const exits: NextExit = { how: "exits", probe: null, delayMs: ownDelayMs, likely: true };
  const probe = kill?.cause ?? killingProbe(facts);
  if (probe === null || startedAtMs === null) return [exits];
  const expected = expectedKills(facts, probe, startedAtMs, kill, observed.pod.gracePeriodMs);
  const delayMs = isExitRecordGone(facts) ? 0 : delayIfKilled(facts.beliefs, notBefore(atMs, expected), policy);
  const killed: NextExit = { how: "killed-by-probe", probe, delayMs, likely: true };
  if (kill !== null) return [killed];
  return isKilledAgain(facts, probe) ? [killed, { ...exits, likely: false }] : [exits, { ...killed, likely: false }];
}

/**
 * Whether the runtime no longer has the record of the exit before: then a kill finds no exit to count from, and the next
 * instance starts immediately. Older kubelets show it as restarts without a lastState (measured on v1.33.13).
 */
function isExitRecordGone({ status }: ContainerFacts): boolean {
  return status !== null && status.restartCount > 0 && status.lastState === null;
}

/** Whether the last run ended by a probe that can end this one, too. */
function isKilledAgain({ runs }: ContainerFacts, probe: KillingProbe): boolean {
  const last = runs.findLast(({ exit }) => exit !== null);
  return last?.cause.cause === probe && last.cause.killedBySync > 0.5;
}

/** The likeliest delay after a kill, over all that the kubelet may remember and all instants at which the instance may exit. */
function delayIfKilled(beliefs: readonly Belief[], exits: readonly ExpectedExit[], policy: CrashLoopPolicy): number {
  const shares = new Map<number, number>();
  for (const { entry, previousFinishedAtMs, weight } of beliefs) {
    for (const exit of exits) {
      for (const { errorMs, share } of TRUNCATION_ERRORS) {
        const finishedAtMs = exit.atMs + errorMs;
        const { delayMs } = waitAfter(entry, previousFinishedAtMs, { finishedAtMs, killedBySync: true }, policy);
        shares.set(delayMs, (shares.get(delayMs) ?? 0) + weight * exit.share * share);
      }
    }
  }
  return [...shares].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0] as [number, number])[0];
}

/**
 * The waits after the run that follows the present wait, the likely way to end first. Where the second at which it starts
 * decides whether a kill is followed by a wait, the kill has both delays.
 */
export function exitsAfterNextStart(
  facts: ContainerFacts,
  { wait, entry, finishedAtMs }: CurrentWait,
  gracePeriodMs: number,
  policy: CrashLoopPolicy,
): NextExit[] {
  const startsAtMs = [wait.readyAtMs, wait.readyAtMs + longestLatenessMs(policy.retry, wait.delayMs)];
  const entries = startsAtMs.map((atMs) => entryAfterStart(entry, wait, atMs, policy));
  const exits: NextExit = { how: "exits", probe: null, delayMs: entries[0]?.delayMs ?? 0, likely: true };
  const probe = killingProbe(facts);
  if (probe === null || !isKilledAgain(facts, probe)) return [exits];
  const delaysMs = startsAtMs.map((startedAtMs, index) => {
    const belief = { entry: entries[index], previousFinishedAtMs: finishedAtMs, weight: 1, rules: [] };
    return delayIfKilled([belief], expectedKills(facts, probe, startedAtMs, null, gracePeriodMs), policy);
  });
  const killed = [...new Set(delaysMs)].map(
    (delayMs): NextExit => ({ how: "killed-by-probe", probe, delayMs, likely: true }),
  );
  return [...killed, { ...exits, likely: false }];
}

/** An instance that still runs has not exited before now. */
function notBefore(atMs: number, exits: readonly ExpectedExit[]): ExpectedExit[] {
  return exits.map((exit) => ({ ...exit, atMs: Math.max(exit.atMs, atMs) }));
}

/** A probe of the container whose failure makes the kubelet kill it. */
type KillingProbe = "liveness-probe" | "startup-probe";

/** An instant at which a killed instance may have exited, and how likely that instant is among all. */
interface ExpectedExit {
  readonly atMs: number;
  readonly share: number;
}

/** The last instance that a probe ended, as its record shows it. */
interface KilledRun {
  readonly ranMs: number;
  readonly finishedAtMs: number;
  /** From the kill to the exit: the grace period where the instance ignored SIGTERM. */
  readonly stoppingMs: number;
}

/** Timestamps of the API are truncated to a second. */
const SECOND_MS = 1_000;
/** From the failed probe to SIGTERM, and from there to the exit of a program that obeys. */
const KILL_LATENCY_MS = 500;
/** 128 + SIGKILL: the instance did not stop within the grace period. */
const KILLED_EXIT_CODE = 137;

/** The probe that can kill the running instance; the liveness probe waits until the startup probe has succeeded. */
function killingProbe({ spec, status, isRunning }: ContainerFacts): KillingProbe | null {
  if (spec.startupProbe !== null && (!isRunning || status?.started !== true)) return "startup-probe";
  return spec.livenessProbe === null ? null : "liveness-probe";
}

/**
 * When an instance that started at `startedAtMs` has been killed by its probe. The kubelet's prober keeps one ticker for a
 * container across its restarts (`worker.run`, pkg/kubelet/prober/worker.go, v1.31.4 to v1.37.1), so kills come a whole
 * number of periods after the kill before, at the first tick that the probe's settings allow. Measured: exits stay within a
 * second of that until the kubelet restarts.
 */
function expectedKills(
  facts: ContainerFacts,
  cause: KillingProbe,
  startedAtMs: number,
  kill: PendingKill | null,
  graceMs: number,
): ExpectedExit[] {
  const probe = cause === "startup-probe" ? facts.spec.startupProbe : facts.spec.livenessProbe;
  if (probe === null) return [];
  const last = lastKilledRun(facts, probe.gracePeriodMs ?? graceMs);
  if (kill !== null) return [{ atMs: kill.atMs + KILL_LATENCY_MS + (last?.stoppingMs ?? 0), share: 1 }];
  const settingsMs = probe.initialDelayMs + (probe.failureThreshold - 1) * probe.periodMs;
  if (last === null) return spreadOver(startedAtMs + settingsMs, probe.periodMs);
  const leastMs = settingsMs + last.stoppingMs;
  const failsFromStart = last.ranMs <= leastMs + probe.periodMs + 2 * SECOND_MS;
  if (!failsFromStart) return spreadOver(startedAtMs + last.ranMs - probe.periodMs, 2 * probe.periodMs);
  return atTicks(startedAtMs + leastMs, last, leastMs, probe);
}

function lastKilledRun({ runs }: ContainerFacts, graceMs: number): KilledRun | null {
  const run = runs.findLast(({ cause: { cause } }) => cause === "liveness-probe" || cause === "startup-probe");
  if (run === undefined || run.startedAtMs === null || run.finishedAtMs === null) return null;
  const stoppingMs = run.exit?.exitCode === KILLED_EXIT_CODE ? graceMs : 0;
  return { ranMs: run.finishedAtMs - run.startedAtMs, finishedAtMs: run.finishedAtMs, stoppingMs };
}

/** More instants than this say nothing new about which delay is likeliest; a period can be as long as 68 years. */
const MAX_INSTANTS = 3_600;

/** Instants spread evenly over a range, each as likely as the others: one per second, or fewer where the range is long. */
function spreadOver(fromMs: number, lengthMs: number): ExpectedExit[] {
  const count = Math.min(Math.max(1, Math.round(lengthMs / SECOND_MS)), MAX_INSTANTS);
  const stepMs = count < MAX_INSTANTS ? SECOND_MS : lengthMs / count;
  return Array.from({ length: count }, (_, index) => ({ atMs: fromMs + (index + 0.5) * stepMs, share: 1 / count }));
}

/**
 * The first instant from `earliestMs` on that lies a whole number of periods after the exit before. Where that is
 * `earliestMs` itself, the fraction of a second that timestamps do not show decides between this tick and the next: the run
 * before tells, if it met the same edge.
 */
function atTicks(earliestMs: number, last: KilledRun, leastMs: number, { periodMs }: Probe): ExpectedExit[] {
  const sinceMs = (((earliestMs - last.finishedAtMs) % periodMs) + periodMs) % periodMs;
  const untilTickMs = sinceMs === 0 ? 0 : periodMs - sinceMs;
  if (untilTickMs > 0) return [{ atMs: earliestMs + untilTickMs, share: 1 }];
  const metEdge = Math.abs(last.ranMs - leastMs) < SECOND_MS || Math.abs(last.ranMs - leastMs - periodMs) < SECOND_MS;
  const nextTick = !metEdge ? NEXT_TICK : last.ranMs > leastMs + periodMs / 2 ? 1 - LEFT_OPEN : LEFT_OPEN;
  return [
    { atMs: earliestMs, share: 1 - nextTick },
    { atMs: earliestMs + periodMs, share: nextTick },
  ];
}

/** The kubelet compares whole seconds of truncated times, so a tick at the edge usually counts. */
const NEXT_TICK = 0.2;
/** What the run before says of the edge holds for the next, unless the node was slow. */
const LEFT_OPEN = 0.05;

/** A kill that the kubelet has announced and that the running instance has not obeyed yet. */
export interface PendingKill {
  readonly atMs: number;
  readonly cause: "liveness-probe" | "startup-probe" | "spec-change";
  /** How long the instance may take to stop. */
  readonly graceMs: number;
}

/** The kill of the instance that still runs, from its Killing event; null if there is none. */
export function pendingKill(facts: ContainerFacts, observed: PodObservation): PendingKill | null {
  const startedAtMs = facts.runs.at(-1)?.startedAtMs ?? null;
  if (!facts.isRunning || startedAtMs === null) return null;
  for (const event of observed.events) {
    const cause = meaningOfEvent(event.reason, event.message);
    const isOfRun = event.container === facts.spec.name && (event.lastAtMs ?? 0) > startedAtMs;
    if (!isOfRun || event.lastAtMs === null) continue;
    if (cause === "liveness-probe" || cause === "startup-probe" || cause === "spec-change") {
      return { atMs: event.lastAtMs, cause, graceMs: graceAfterKill(cause, facts, observed) };
    }
  }
  return null;
}

function graceAfterKill(cause: PendingKill["cause"], { spec }: ContainerFacts, observed: PodObservation): number {
  const probe = cause === "liveness-probe" ? spec.livenessProbe : cause === "startup-probe" ? spec.startupProbe : null;
  return probe?.gracePeriodMs ?? observed.pod.gracePeriodMs;
}
