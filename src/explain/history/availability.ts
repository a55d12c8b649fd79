import type { Curve } from "../../backoff/curve.ts";
import type { Availability, PolicyExplanation, Run } from "../answer/explanation.ts";
import { averageRunMs, runLengthMs } from "./runs.ts";
import { totalWaitsMs } from "./unobserved-period.ts";

export function availabilityOf(
  history: readonly Run[],
  failingSinceMs: number | null,
  atMs: number,
  policy: PolicyExplanation,
): Availability | null {
  const totalMs = failingSinceMs === null ? 0 : atMs - failingSinceMs;
  if (failingSinceMs === null || totalMs <= 0) return null;
  const healthy = history.findLast((run) => run.basis === "observed" && runLengthMs(run) >= policy.resetAfterMs);
  const failing = healthy === undefined ? history : history.slice(history.indexOf(healthy) + 1);
  const timed = failing.filter(({ startedAtMs, finishedAtMs }, index) => {
    const isLast = index === failing.length - 1;
    return startedAtMs !== null && (finishedAtMs !== null || isLast);
  });
  if (failing.length > 0 && timed.length === 0) return null;
  const firstStart = healthy === undefined ? 0 : healthy.start + 1;
  const restarts = (timed.at(-1)?.start ?? firstStart) - firstStart;
  const unknown = timed.length === 0 ? 0 : restarts + 1 - timed.length;
  const knownUpMs = timed.reduce((sum, run) => sum + lengthUntil(run, atMs), 0);
  const averageMs = averageRunMs(timed);
  if (unknown > 0 && averageMs === null) return null;
  const downMs = totalMs - knownUpMs - unknown * (averageMs ?? 0);
  if (unknown > 0 && !isTimeOfWaits(downMs - sinceExitMs(timed, atMs), restarts, policy)) return null;
  const basis = unknown > 0 ? "inferred" : "observed";
  return { sinceMs: failingSinceMs, downMs, share: downMs / totalMs, basis };
}

function lengthUntil(run: Run, atMs: number): number {
  return run.startedAtMs !== null && run.finishedAtMs === null ? Math.max(0, atMs - run.startedAtMs) : runLengthMs(run);
}

function sinceExitMs(runs: readonly Run[], atMs: number): number {
  const endedAtMs = runs.at(-1)?.finishedAtMs ?? null;
  return endedAtMs === null ? 0 : atMs - endedAtMs;
}

/** Assumed tolerance for a downtime that differs from the sum of the waits. */
const MOST_LATENESS_MS = 15_000;

function isTimeOfWaits(downMs: number, restarts: number, curve: Curve): boolean {
  const waitsMs = totalWaitsMs(restarts, curve);
  return downMs >= 0.9 * waitsMs - MOST_LATENESS_MS && downMs <= waitsMs + restarts * MOST_LATENESS_MS;
}
