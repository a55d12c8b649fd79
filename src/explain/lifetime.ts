import { delayAfter } from "../backoff/curve.ts";
import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import type { PodObservation } from "./observation.ts";
import type { SeenRun } from "./runs.ts";

/** What a pod's age says of the restarts that nobody saw. */
export interface Lifetime {
  /** From the moment that the kubelet took the pod to the start of the oldest run that was seen. */
  readonly spanMs: number;
  /** How long a run of this container is, by those that were seen to their end. */
  readonly runMs: number;
}

/** Runs that are longer end some waits early: at the cap the entry is dropped 600 s after the start before it. */
const LONGEST_TELLING_RUN_MS = 300_000;

/** The lifetime before the oldest of `runs`; null if no run was seen to its end, or runs are too long to tell. */
export function lifetimeBefore(runs: readonly SeenRun[], { pod }: PodObservation): Lifetime | null {
  const bornAtMs = pod.startedAtMs ?? pod.createdAtMs;
  const startedAtMs = runs[0]?.startedAtMs ?? null;
  const lengths = runs.flatMap(({ startedAtMs: from, finishedAtMs: to }) =>
    from === null || to === null ? [] : [to - from],
  );
  if (bornAtMs === null || startedAtMs === null || lengths.length === 0) return null;
  const runMs = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return runMs > LONGEST_TELLING_RUN_MS ? null : { spanMs: startedAtMs - bornAtMs, runMs };
}

/** How much longer than `runMs` and the waits the restarts took, within what is usual: half as long again, or two thirds. */
const USUAL_SPREAD = Math.log(1.5);
/** A pod may have run well for any time before it began to crash: that changes no delay. */
const LONG_FIRST_RUN = 0.3;
/** More restarts than the waits leave room for: that takes something that nothing tells of. */
const NO_ROOM = 1e-3;
/** Instants are truncated, and kubelets take a moment. */
const SLACK_MS = 5_000;

/** How well the lifetime fits `restarts` restarts in one series from the first step of the curve on: 1 is perfect. */
export function fitOfSeries({ spanMs, runMs }: Lifetime, restarts: number, policy: CrashLoopPolicy): number {
  if (restarts === 0) return 1;
  const waitsMs = waitsOf(restarts, policy);
  if (spanMs < waitsMs - SLACK_MS) return NO_ROOM;
  const excess = Math.log((spanMs + SLACK_MS) / (waitsMs + restarts * runMs + SLACK_MS)) / USUAL_SPREAD;
  const likelihood = 1 / (1 + excess ** 2);
  return excess > 0 ? Math.max(likelihood, LONG_FIRST_RUN) : likelihood;
}

/**
 * When the curve was at its beginning `level` restarts before the oldest seen run: the time since, and the time that is
 * left for what put it there, beyond the waits and runs before. The latter may be negative.
 */
export function timeForReset({ spanMs, runMs }: Lifetime, restarts: number, level: number, policy: CrashLoopPolicy) {
  const before = Math.max(0, restarts - level - 1);
  const sinceMs = waitsOf(level + 1, policy) + level * runMs;
  return { sinceMs, leftMs: spanMs - sinceMs - waitsOf(before, policy) - before * runMs };
}

/** The waits of so many restarts in a row: none before the first, then each step of the curve. */
function waitsOf(restarts: number, policy: CrashLoopPolicy): number {
  let sumMs = 0;
  let delayMs = policy.initialMs;
  for (let restart = 2; restart <= restarts; restart++) {
    if (delayMs >= policy.maxMs) return sumMs + (restarts - restart + 1) * policy.maxMs;
    sumMs += delayMs;
    delayMs = delayAfter(delayMs, policy);
  }
  return sumMs;
}
