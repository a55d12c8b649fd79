import { meaningOfEvent } from "../../kubelet/event-messages.ts";
import { SIGKILL_EXIT_CODE } from "../../kubelet/exit-codes.ts";
import { SECOND_MS } from "../../kubelet/go-duration.ts";
import type { KillingProbe } from "../../kubelet/killing-probe.ts";
import { CONFIDENCE, windowFrom } from "../../kubelet/start-distribution.ts";
import type { ExpectedKill } from "../answer/explanation.ts";
import { runLengthMs } from "../history/runs.ts";
import { shortestRunMs } from "../history/suspected-kill.ts";
import { greatestOf, leastOf } from "../observed/max-min.ts";
import type { ContainerSpec, PodObservation, Probe } from "../observed/observation.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";

export function wasKilledBy({ runs }: ReplayedContainer, probe: KillingProbe): boolean {
  const last = runs.findLast(({ exit }) => exit !== null);
  return last?.cause.cause === probe && last.cause.killedBySync > 0.5;
}

export function probeThatMayKill({ spec, status, isRunning }: ReplayedContainer): KillingProbe | null {
  if (spec.startupProbe !== null && (!isRunning || status?.started !== true)) return "startup-probe";
  return spec.livenessProbe === null ? null : "liveness-probe";
}

export function probeOf({ startupProbe, livenessProbe }: ContainerSpec, cause: KillingProbe): Probe | null {
  return cause === "startup-probe" ? startupProbe : livenessProbe;
}

export interface ExpectedExit {
  readonly atMs: number;
  readonly share: number;
}

/**
 * The ticker of a probe can run on when the container restarts (`worker.run`, pkg/kubelet/prober/worker.go, v1.31.4 and
 * v1.37.1). So if the probe fails from the start, kills are usually a whole number of periods apart. Measured: until
 * the kubelet restarts, exits deviate from this rhythm by at most a second.
 */
export function exitsIfKilled(
  facts: ReplayedContainer,
  cause: KillingProbe,
  startedAtMs: number,
  graceMs: number,
): ExpectedExit[] {
  const probe = probeOf(facts.spec, cause);
  if (probe === null) return [];
  const last = lastKilledRun(facts, probe.gracePeriodMs ?? graceMs);
  const settingsMs = shortestRunMs(probe);
  if (last === null) return spreadOver(startedAtMs + settingsMs, probe.periodMs);
  const leastMs = settingsMs + last.stoppingMs;
  const failsFromStart = last.ranMs <= leastMs + probe.periodMs + 2 * SECOND_MS;
  if (!failsFromStart) return spreadOver(startedAtMs + last.ranMs - probe.periodMs, 2 * probe.periodMs);
  return [exitAtTick(startedAtMs + leastMs, last, leastMs, probe)];
}

interface KilledRun {
  readonly ranMs: number;
  readonly finishedAtMs: number;
  readonly stoppingMs: number;
}

function lastKilledRun({ runs }: ReplayedContainer, graceMs: number): KilledRun | null {
  const run = runs.findLast(({ cause: { cause } }) => cause === "liveness-probe" || cause === "startup-probe");
  if (run === undefined || run.startedAtMs === null || run.finishedAtMs === null) return null;
  const stoppingMs = run.exit?.exitCode === SIGKILL_EXIT_CODE ? graceMs : 0;
  return { ranMs: runLengthMs(run), finishedAtMs: run.finishedAtMs, stoppingMs };
}

/**
 * Bounds the work, as a probe's period can be 68 years. Assumed: more instants would not change the likeliest delay.
 */
const MAX_INSTANTS = 3_600;

function spreadOver(fromMs: number, lengthMs: number): ExpectedExit[] {
  const count = Math.min(Math.max(1, Math.round(lengthMs / SECOND_MS)), MAX_INSTANTS);
  const stepMs = count < MAX_INSTANTS ? SECOND_MS : lengthMs / count;
  return Array.from({ length: count }, (_, index) => ({ atMs: fromMs + (index + 0.5) * stepMs, share: 1 / count }));
}

/**
 * Returns the first instant from `earliestMs` on that is a whole number of periods after the exit of `last`. If this
 * instant is `earliestMs` itself, truncated timestamps do not show whether the kill comes then or a period later.
 * Assumed: the kill comes later if the kill in the run `last` came later.
 */
function exitAtTick(earliestMs: number, last: KilledRun, leastMs: number, { periodMs }: Probe): ExpectedExit {
  const untilTickMs = (((last.finishedAtMs - earliestMs) % periodMs) + periodMs) % periodMs;
  const wasLater = Math.abs(last.ranMs - leastMs - periodMs) < SECOND_MS;
  return { atMs: earliestMs + (untilTickMs === 0 && wasLater ? periodMs : untilTickMs), share: 1 };
}

export interface PendingKill {
  readonly atMs: number;
  readonly cause: KillingProbe | "spec-change";
  readonly graceMs: number;
}

/** Assumed: a program that obeys SIGTERM exits this long after the kubelet's Killing event. */
const KILL_LATENCY_MS = 500;

export function exitsAfterKill(facts: ReplayedContainer, cause: KillingProbe, kill: PendingKill): ExpectedExit[] {
  if (probeOf(facts.spec, cause) === null) return [];
  const { stoppingMs = 0 } = lastKilledRun(facts, kill.graceMs) ?? {};
  return [{ atMs: kill.atMs + KILL_LATENCY_MS + stoppingMs, share: 1 }];
}

export function pendingKill(
  { spec, events, runs, isRunning }: ReplayedContainer,
  observed: PodObservation,
): PendingKill | null {
  const startedAtMs = runs.at(-1)?.startedAtMs ?? null;
  if (!isRunning || startedAtMs === null) return null;
  const kills = events.flatMap(({ reason, message, lastAtMs }): PendingKill[] => {
    if (lastAtMs === null || lastAtMs <= startedAtMs) return [];
    const cause = meaningOfEvent(reason, message);
    if (cause !== "spec-change" && cause !== "liveness-probe" && cause !== "startup-probe") return [];
    const ofProbeMs = cause === "spec-change" ? null : (probeOf(spec, cause)?.gracePeriodMs ?? null);
    return [{ atMs: lastAtMs, cause, graceMs: ofProbeMs ?? observed.pod.gracePeriodMs }];
  });
  return kills.toSorted((a, b) => b.atMs - a.atMs)[0] ?? null;
}

/** Predicts when the probe kills the running container if the probe goes on failing. */
export function expectedKill(facts: ReplayedContainer, observed: PodObservation, atMs: number): ExpectedKill | null {
  const { runs, spec, isRunning } = facts;
  const startedAtMs = runs.at(-1)?.startedAtMs ?? null;
  const probe = isRunning ? probeThatMayKill(facts) : null;
  if (probe === null || startedAtMs === null) return null;
  const ended = runs.filter(({ exit }) => exit !== null);
  if (ended.some(({ cause }) => cause.cause !== probe) || !wasKilledBy(facts, probe)) return null;
  const meaning = probe === "liveness-probe" ? "liveness-failure" : "startup-failure";
  const hasFailed = facts.events.some(
    ({ reason, message, lastAtMs }) => (lastAtMs ?? 0) > startedAtMs && meaningOfEvent(reason, message) === meaning,
  );
  if (!hasFailed) return null;
  const graceMs = probeOf(spec, probe)?.gracePeriodMs ?? observed.pod.gracePeriodMs;
  const stoppingMs = lastKilledRun(facts, graceMs)?.stoppingMs ?? 0;
  const exits = likelyExits(exitsIfKilled(facts, probe, startedAtMs, observed.pod.gracePeriodMs));
  const kills = exits.map((exit) => exit.atMs - stoppingMs);
  const window = windowFrom(Math.max(atMs, leastOf(kills)), greatestOf(kills, 0) + SECOND_MS);
  return window.likelyByMs <= atMs ? null : { probe, ...window };
}

function likelyExits(exits: readonly ExpectedExit[]): ExpectedExit[] {
  let share = 0;
  return exits
    .toSorted((a, b) => b.share - a.share)
    .filter((exit) => {
      const isNeeded = share < CONFIDENCE;
      share += exit.share;
      return isNeeded;
    });
}
