import { type Curve, delaysOf } from "../../backoff/curve.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { usualLatenessMs } from "../../kubelet/retry-rule.ts";
import { takenAtMs } from "../observed/lookups.ts";
import type { EventSnapshot, PodSnapshot } from "../observed/observation.ts";
import { averageRunMs, isOfStart, type SeenRun } from "./runs.ts";

/** A period before the oldest observed run, whose restarts were not observed. */
export interface Lifetime {
  /** The restartCount of the start with which the period begins; 0: it begins when the kubelet accepted the pod. */
  readonly fromStart: number;
  /** To the start of the oldest observed run. */
  readonly spanMs: number;
  /** The average length of the runs that were observed to their end. */
  readonly runMs: number;
}

/** Longer runs end waits at the maximum early, because the kubelet drops an entry 600 s after the start that updated it. */
const LONGEST_TELLING_RUN_MS = 300_000;

/** The lifetime before the oldest of `runs`; null if no run was observed to its end, or if runs are too long. */
export function lifetimeBefore(runs: readonly SeenRun[], pod: PodSnapshot): Lifetime | null {
  const bornAtMs = takenAtMs(pod);
  const startedAtMs = runs[0]?.startedAtMs ?? null;
  const runMs = averageRunMs(runs);
  if (bornAtMs === null || startedAtMs === null || runMs === null) return null;
  return runMs > LONGEST_TELLING_RUN_MS ? null : { fromStart: 0, spanMs: startedAtMs - bornAtMs, runMs };
}

/** An event counts all starts of a container if it first occurred this soon after the pod's creation. */
const FIRST_START_MS = 60_000;

/** The part of a lifetime since the latest start that an event of the container counts and dates; null if none does. */
export function lifetimeSinceCounted(
  lifetime: Lifetime,
  first: SeenRun,
  own: readonly EventSnapshot[],
): Lifetime | null {
  const startedAtMs = first.startedAtMs ?? 0;
  const bornAtMs = startedAtMs - lifetime.spanMs;
  let latest: Lifetime | null = null;
  for (const { reason, count, firstAtMs, lastAtMs } of own) {
    if (!isOfStart(reason) || firstAtMs === null || lastAtMs === null) continue;
    const fromStart = count - 1;
    if (firstAtMs - bornAtMs >= FIRST_START_MS || fromStart >= first.start || lastAtMs >= startedAtMs) continue;
    if (fromStart > (latest?.fromStart ?? 0)) latest = { ...lifetime, fromStart, spanMs: startedAtMs - lastAtMs };
  }
  return latest;
}

/** Usually the time that passed is between 2/3 and 3/2 of the time that runs and waits should take. */
const USUAL_SPREAD = Math.log(1.5);
/** The least fit if more time passed than expected: the first run may have been long, which changes no delay. */
const LONG_FIRST_RUN = 0.3;
/** The least fit if one later run must have been much longer than the observed ones. */
const LONG_LATER_RUN = 0.1;
/** The fit if less time passed than the waits alone take. */
const NO_ROOM = 1e-3;
/** Instants are truncated, and kubelets take a moment. */
const SLACK_MS = 5_000;

/** Whether the waits before this many restarts fit into the time; the first restart has no wait. */
export function hasRoom(spanMs: number, restarts: number, policy: CrashLoopPolicy): boolean {
  return spanMs >= waitsOf(restarts, policy) - SLACK_MS;
}

/** How well the lifetime fits this many restarts in a row from the first step of the curve on: 1 is perfect. */
export function fitOfSeries({ spanMs, runMs }: Lifetime, restarts: number, policy: CrashLoopPolicy): number {
  if (restarts === 0) return 1;
  if (!hasRoom(spanMs, restarts, policy)) return NO_ROOM;
  const expectedMs = waitsOf(restarts, policy) + restarts * runMs;
  const likelihood = fitOfTime(spanMs, expectedMs);
  return spanMs > expectedMs ? Math.max(likelihood, LONG_FIRST_RUN) : likelihood;
}

/** The first run may be this long without a sign that the restarts are spread over the pod's life. */
const LONGEST_FIRST_RUN_MS = 3_600_000;

/**
 * The probability, 0 to 1, that some runs between the restarts were long enough to reset the curve, so that restartCount says
 * nothing about the delay. It grows with the time beyond what the restarts in a row would take.
 */
export function spreadOf(spanMs: number, runMs: number, restarts: number, policy: CrashLoopPolicy): number {
  const seriesMs = timeOf(restarts, policy) + restarts * runMs + LONGEST_FIRST_RUN_MS;
  return spanMs < seriesMs ? 0 : 1 - Math.sqrt(seriesMs / spanMs);
}

/** How well the expected time fits the time that passed: 1 is perfect. */
export function fitOfTime(passedMs: number, expectedMs: number): number {
  const excess = Math.log((Math.max(0, passedMs) + SLACK_MS) / (Math.max(0, expectedMs) + SLACK_MS)) / USUAL_SPREAD;
  return 1 / (1 + excess ** 2);
}

/**
 * How well step `level` of the curve at the oldest observed run fits the time since a counted start: 1 is perfect. If the curve
 * was reset in that time, any longer time fits as well; otherwise one run must have been much longer than the others.
 */
export function fitOfStep(since: Lifetime, restarts: number, level: number, policy: CrashLoopPolicy): number {
  const { isWithin, leftMs } = timeForReset(since, restarts, level, policy);
  if (isWithin && leftMs >= 0) return 1;
  const fit = fitOfTime(since.spanMs, since.spanMs - leftMs);
  return leftMs > 0 ? Math.max(fit, LONG_LATER_RUN) : fit;
}

/**
 * Assumes a reset of the curve `level` restarts before the oldest observed run, and returns:
 * - `isWithin`: whether the reset falls into the lifetime
 * - `sinceMs`: the time since the reset
 * - `leftMs`: the time of the lifetime that waits and runs do not need, negative if there is too little. A long run that resets
 *   the curve takes place in it; a change of the spec needs less than the wait that it cuts short
 * - `cutWaitMs`: the length of that wait
 */
export function timeForReset(lifetime: Lifetime, restarts: number, level: number, policy: CrashLoopPolicy) {
  const { fromStart, spanMs, runMs } = lifetime;
  const before = Math.max(0, restarts - level - 1);
  const sinceMs = timeOf(level + 1, policy) + level * runMs;
  if (before < fromStart) {
    const waitsMs = timeOf(level + 1, policy) - timeOf(fromStart - before, policy);
    return { isWithin: false, sinceMs, leftMs: spanMs - waitsMs - (restarts - fromStart) * runMs, cutWaitMs: 0 };
  }
  const waitsMs = timeOf(before, policy) - timeOf(fromStart, policy);
  const cutWaitMs = timeOf(before + 1, policy) - timeOf(before, policy);
  return { isWithin: true, sinceMs, leftMs: spanMs - sinceMs - waitsMs - (before - fromStart) * runMs, cutWaitMs };
}

/**
 * The sum of the waits before this many restarts in a row: none before the first, then each step of the curve. `latenessMs` is
 * the time from the end of a wait to the sync that ends it.
 */
export function waitsOf(restarts: number, curve: Curve, latenessMs = (_delayMs: number) => 0): number {
  const delays = delaysOf(curve).slice(0, Math.max(0, restarts - 1));
  const risingMs = delays.reduce((sum, delayMs) => sum + delayMs + latenessMs(delayMs), 0);
  return risingMs + Math.max(0, restarts - 1 - delays.length) * (curve.maxMs + latenessMs(curve.maxMs));
}

function timeOf(restarts: number, policy: CrashLoopPolicy): number {
  return waitsOf(restarts, policy, (delayMs) => usualLatenessMs(policy.retry, delayMs));
}
