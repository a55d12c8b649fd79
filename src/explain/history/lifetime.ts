import { type Curve, delaysOf } from "../../backoff/curve.ts";
import { type CrashLoopPolicy, DEFAULT_CURVE, RESET_AFTER_MS } from "../../kubelet/crash-loop-policy.ts";
import { usualLatenessMs } from "../../kubelet/retry-rule.ts";
import { oldestStartAtMs } from "../observed/lookups.ts";
import type { EventSnapshot, PodSnapshot } from "../observed/observation.ts";
import { averageRunMs, isOfStart, type ObservedRun } from "./runs.ts";

/** The period before the start of the oldest observed run, with the restarts that the program did not observe. */
export interface Lifetime {
  /** The restartCount at the beginning of the period. */
  readonly fromStart: number;
  readonly spanMs: number;
  /** The average length of the observed runs that have ended. */
  readonly runMs: number;
}

/** After longer runs, the kubelet drops the back-off record before the end of a wait at the maximum. */
const LONGEST_TELLING_RUN_MS = RESET_AFTER_MS - DEFAULT_CURVE.maxMs;

/** Returns the period from the pod's acceptance by the kubelet to the first of `runs`; null if it tells nothing. */
export function lifetimeBefore(runs: readonly ObservedRun[], pod: PodSnapshot): Lifetime | null {
  const bornAtMs = oldestStartAtMs(pod);
  const startedAtMs = runs[0]?.startedAtMs ?? null;
  const runMs = averageRunMs(runs);
  if (bornAtMs === null || startedAtMs === null || runMs === null) return null;
  return runMs > LONGEST_TELLING_RUN_MS ? null : { fromStart: 0, spanMs: startedAtMs - bornAtMs, runMs };
}

/** A pod usually starts its first container within this time after the kubelet has accepted it. */
export const FIRST_START_MS = 60_000;

/**
 * Returns the part of `lifetime` after the latest start whose time and number an event shows; null if no event shows
 * one. `first` is the oldest observed run, `own` the container's events.
 */
export function lifetimeSinceCounted(
  lifetime: Lifetime,
  first: ObservedRun,
  own: readonly EventSnapshot[],
): Lifetime | null {
  const startedAtMs = first.startedAtMs ?? 0;
  const bornAtMs = startedAtMs - lifetime.spanMs;
  let latest: Lifetime | null = null;
  for (const { reason, count, firstAtMs, lastAtMs } of own) {
    if (!isOfStart(reason) || firstAtMs === null || lastAtMs === null) continue;
    // The count of an event since the first start includes all starts.
    const fromStart = count - 1;
    if (firstAtMs - bornAtMs >= FIRST_START_MS || fromStart >= first.start || lastAtMs >= startedAtMs) continue;
    if (fromStart > (latest?.fromStart ?? 0)) latest = { ...lifetime, fromStart, spanMs: startedAtMs - lastAtMs };
  }
  return latest;
}

/** The time that passed is usually 2/3 to 3/2 of the expected time. At these two ratios, {@link fitOfTime} is 1/2. */
const USUAL_SPREAD = Math.log(1.5);
/** The minimum fit, 0 to 1, if more time passed than expected: a long first run explains it, and changes no delay. */
const LONG_FIRST_RUN = 0.3;
/** The minimum fit, 0 to 1, if only a later run much longer than the observed ones explains the time that passed. */
const LONG_LATER_RUN = 0.1;
/** The fit, 0 to 1, if less time passed than the waits take without any runs. */
const NO_ROOM = 1e-3;
/** The tolerance for times, because the API truncates instants to seconds and the kubelet needs a moment to act. */
const TIME_SLACK_MS = 5_000;

/** Whether `spanMs` is long enough for the waits before this many restarts. */
export function hasRoom(spanMs: number, restarts: number, policy: CrashLoopPolicy): boolean {
  return spanMs >= waitsOf(restarts, policy) - TIME_SLACK_MS;
}

/** Returns how well, 0 to 1, the period agrees with `restarts` restarts in it without a reset of the back-off. */
export function fitOfSeries({ spanMs, runMs }: Lifetime, restarts: number, policy: CrashLoopPolicy): number {
  if (restarts === 0) return 1;
  if (!hasRoom(spanMs, restarts, policy)) return NO_ROOM;
  const expectedMs = waitsOf(restarts, policy) + restarts * runMs;
  const likelihood = fitOfTime(spanMs, expectedMs);
  return spanMs > expectedMs ? Math.max(likelihood, LONG_FIRST_RUN) : likelihood;
}

/** The longest extra time that a long first run explains. */
const LONGEST_FIRST_RUN_MS = 3_600_000;

/**
 * Returns the probability, 0 to 1, that long runs reset the back-off within `spanMs`, so that restartCount shows
 * nothing about the delay.
 */
export function spreadOf(spanMs: number, runMs: number, restarts: number, policy: CrashLoopPolicy): number {
  const seriesMs = usualWaitsMs(restarts, policy) + restarts * runMs + LONGEST_FIRST_RUN_MS;
  return spanMs < seriesMs ? 0 : 1 - Math.sqrt(seriesMs / spanMs);
}

/** Returns how well, 0 to 1, the times agree: 1 if they are equal. */
export function fitOfTime(passedMs: number, expectedMs: number): number {
  const excess =
    Math.log((Math.max(0, passedMs) + TIME_SLACK_MS) / (Math.max(0, expectedMs) + TIME_SLACK_MS)) / USUAL_SPREAD;
  return 1 / (1 + excess ** 2);
}

/**
 * Returns how well, 0 to 1, the period `since` agrees with step `level` of the curve at the oldest observed run. If the
 * reset `level` restarts before that run falls into the period, extra time does not count against it, because a long
 * run may have caused the reset.
 */
export function fitOfStep(since: Lifetime, restarts: number, level: number, policy: CrashLoopPolicy): number {
  const { isWithin, leftMs } = timeForReset(since, restarts, level, policy);
  if (isWithin && leftMs >= 0) return 1;
  const fit = fitOfTime(since.spanMs, since.spanMs - leftMs);
  return leftMs > 0 ? Math.max(fit, LONG_LATER_RUN) : fit;
}

/**
 * Assumes a reset of the back-off `level` restarts before the oldest observed run, and returns:
 * - `isWithin`: whether the reset falls into `lifetime`
 * - `sinceMs`: the time that waits and runs take after the reset
 * - `leftMs`: the rest of `lifetime` without all its waits and runs, e.g. for a long run that resets the back-off;
 *   negative if these take longer than `lifetime`
 * - `cutWaitMs`: the wait before the reset, which a change of the spec cuts short
 */
export function timeForReset(lifetime: Lifetime, restarts: number, level: number, policy: CrashLoopPolicy) {
  const { fromStart, spanMs, runMs } = lifetime;
  const before = Math.max(0, restarts - level - 1);
  const sinceMs = usualWaitsMs(level + 1, policy) + level * runMs;
  if (before < fromStart) {
    const waitsMs = usualWaitsMs(level + 1, policy) - usualWaitsMs(fromStart - before, policy);
    return { isWithin: false, sinceMs, leftMs: spanMs - waitsMs - (restarts - fromStart) * runMs, cutWaitMs: 0 };
  }
  const waitsMs = usualWaitsMs(before, policy) - usualWaitsMs(fromStart, policy);
  const cutWaitMs = usualWaitsMs(before + 1, policy) - usualWaitsMs(before, policy);
  return { isWithin: true, sinceMs, leftMs: spanMs - sinceMs - waitsMs - (before - fromStart) * runMs, cutWaitMs };
}

/**
 * Returns the sum of the waits before `restarts` restarts without a reset. The first restart has no wait. `latenessMs`
 * returns the time from the end of a delay to the start.
 */
export function waitsOf(restarts: number, curve: Curve, latenessMs = (_delayMs: number) => 0): number {
  const delays = delaysOf(curve).slice(0, Math.max(0, restarts - 1));
  const risingMs = delays.reduce((sum, delayMs) => sum + delayMs + latenessMs(delayMs), 0);
  return risingMs + Math.max(0, restarts - 1 - delays.length) * (curve.maxMs + latenessMs(curve.maxMs));
}

/** Returns {@link waitsOf} with the usual time from the end of each delay to the start. */
export function usualWaitsMs(restarts: number, policy: CrashLoopPolicy): number {
  return waitsOf(restarts, policy, (delayMs) => usualLatenessMs(policy.retry, delayMs));
}
