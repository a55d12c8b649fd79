import { type Curve, delaysOf } from "../../backoff/curve.ts";
import { type CrashLoopPolicy, RESET_AFTER_MS, RESTART_PERIOD_RANGE } from "../../kubelet/crash-loop-policy.ts";
import { HOUR_MS } from "../../kubelet/go-duration.ts";
import { usualLatenessMs } from "../../kubelet/retry-rule.ts";
import { oldestStartAtMs } from "../observed/lookups.ts";
import type { EventSnapshot, PodSnapshot } from "../observed/observation.ts";
import { averageRunMs, isOfStart, type ObservedRun } from "./runs.ts";

/** A period that ends with the start of the oldest observed run. */
export interface UnobservedPeriod {
  /** The restartCount at the beginning of the period. */
  readonly fromStart: number;
  readonly spanMs: number;
  /** The average length of the observed runs, assumed for the unobserved runs, too. */
  readonly runMs: number;
}

/** After a longer run, a back-off record can expire before a delay of 5m ends. */
const LONGEST_TELLING_RUN_MS = RESET_AFTER_MS - RESTART_PERIOD_RANGE.mostMs;

export function periodBeforeRuns(runs: readonly ObservedRun[], pod: PodSnapshot): UnobservedPeriod | null {
  const bornAtMs = oldestStartAtMs(pod);
  const startedAtMs = runs[0]?.startedAtMs ?? null;
  const runMs = averageRunMs(runs);
  if (bornAtMs === null || startedAtMs === null || runMs === null) return null;
  return runMs > LONGEST_TELLING_RUN_MS ? null : { fromStart: 0, spanMs: startedAtMs - bornAtMs, runMs };
}

/** Assumed maximum time from the kubelet's acceptance of a pod to a container's first start. */
export const FIRST_START_MS = 60_000;

export function periodSinceCountedStart(
  period: UnobservedPeriod,
  oldestRun: ObservedRun,
  containerEvents: readonly EventSnapshot[],
): UnobservedPeriod | null {
  const startedAtMs = oldestRun.startedAtMs ?? 0;
  const bornAtMs = startedAtMs - period.spanMs;
  let latest: UnobservedPeriod | null = null;
  for (const { reason, count, firstAtMs, lastAtMs } of containerEvents) {
    if (!isOfStart(reason) || firstAtMs === null || lastAtMs === null) continue;
    // Assumed: an event that began with the first start counts all starts.
    const fromStart = count - 1;
    if (firstAtMs - bornAtMs >= FIRST_START_MS || fromStart >= oldestRun.start || lastAtMs >= startedAtMs) continue;
    if (fromStart > (latest?.fromStart ?? 0)) latest = { ...period, fromStart, spanMs: startedAtMs - lastAtMs };
  }
  return latest;
}

/** Assumed: the time that passed is usually 2/3 to 3/2 of the expected time. */
const USUAL_SPREAD = Math.log(1.5);
/** Assumed minimum fit, 0 to 1, if more time passed than expected. A long first run can explain the extra time. */
const LONG_FIRST_RUN = 0.3;
/** Assumed minimum fit, 0 to 1, if only a long later run can explain that more time passed than expected. */
const LONG_LATER_RUN = 0.1;
/** Assumed fit, 0 to 1, if the waits alone take longer than the time that passed. */
const NO_ROOM = 1e-3;
/** Assumed tolerance: the API truncates instants to seconds, and the kubelet needs a moment to act. */
const TIME_SLACK_MS = 5_000;

export function hasTimeForWaits(spanMs: number, restarts: number, policy: CrashLoopPolicy): boolean {
  return spanMs >= totalWaitsMs(restarts, policy) - TIME_SLACK_MS;
}

export function fitOfSeries({ spanMs, runMs }: UnobservedPeriod, restarts: number, policy: CrashLoopPolicy): number {
  if (restarts === 0) return 1;
  if (!hasTimeForWaits(spanMs, restarts, policy)) return NO_ROOM;
  const expectedMs = totalWaitsMs(restarts, policy) + restarts * runMs;
  const likelihood = fitOfTime(spanMs, expectedMs);
  return spanMs > expectedMs ? Math.max(likelihood, LONG_FIRST_RUN) : likelihood;
}

/** Assumed: a long first run explains at most this much extra time. */
const LONGEST_FIRST_RUN_MS = HOUR_MS;

export function chanceOfLongRuns(spanMs: number, runMs: number, restarts: number, policy: CrashLoopPolicy): number {
  const seriesMs = usualWaitsMs(restarts, policy) + restarts * runMs + LONGEST_FIRST_RUN_MS;
  return spanMs < seriesMs ? 0 : 1 - Math.sqrt(seriesMs / spanMs);
}

export function fitOfTime(passedMs: number, expectedMs: number): number {
  const excess =
    Math.log((Math.max(0, passedMs) + TIME_SLACK_MS) / (Math.max(0, expectedMs) + TIME_SLACK_MS)) / USUAL_SPREAD;
  return 1 / (1 + excess ** 2);
}

export function fitOfStep(period: UnobservedPeriod, restarts: number, step: number, policy: CrashLoopPolicy): number {
  const { isWithin, leftMs } = timeForReset(period, restarts, step, policy);
  // Assumed: each step that leaves time for the reset fits equally well.
  if (isWithin && leftMs >= 0) return 1;
  const fit = fitOfTime(period.spanMs, period.spanMs - leftMs);
  return leftMs > 0 ? Math.max(fit, LONG_LATER_RUN) : fit;
}

/**
 * Assumes a reset of the back-off just before the start that is `step` restarts before the oldest observed run.
 * `sinceMs` is the expected time between these two starts. `leftMs` is `spanMs` minus the expected waits and runs, and
 * can be negative. `isWithin`: the period may include the reset. Then `leftMs` is the time for the run before the reset
 * and for the wait after this run. Without the reset, this wait would take `cutWaitMs`.
 */
export function timeForReset(period: UnobservedPeriod, restarts: number, step: number, policy: CrashLoopPolicy) {
  const { fromStart, spanMs, runMs } = period;
  const before = Math.max(0, restarts - step - 1);
  const sinceMs = usualWaitsMs(step + 1, policy) + step * runMs;
  if (before < fromStart) {
    const waitsMs = usualWaitsMs(step + 1, policy) - usualWaitsMs(fromStart - before, policy);
    return { isWithin: false, sinceMs, leftMs: spanMs - waitsMs - (restarts - fromStart) * runMs, cutWaitMs: 0 };
  }
  const waitsMs = usualWaitsMs(before, policy) - usualWaitsMs(fromStart, policy);
  const cutWaitMs = usualWaitsMs(before + 1, policy) - usualWaitsMs(before, policy);
  return { isWithin: true, sinceMs, leftMs: spanMs - sinceMs - waitsMs - (before - fromStart) * runMs, cutWaitMs };
}

/** The first restart has no wait. `latenessMs` returns the time from the end of a delay to the start. */
export function totalWaitsMs(restarts: number, curve: Curve, latenessMs = (_delayMs: number) => 0): number {
  const delays = delaysOf(curve).slice(0, Math.max(0, restarts - 1));
  const risingMs = delays.reduce((sum, delayMs) => sum + delayMs + latenessMs(delayMs), 0);
  return risingMs + Math.max(0, restarts - 1 - delays.length) * (curve.maxMs + latenessMs(curve.maxMs));
}

export function usualWaitsMs(restarts: number, policy: CrashLoopPolicy): number {
  return totalWaitsMs(restarts, policy, (delayMs) => usualLatenessMs(policy.retry, delayMs));
}
