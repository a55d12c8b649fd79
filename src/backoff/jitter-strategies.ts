import type { RandomSource } from "./backoff.ts";
import { delayAtStep } from "./curve.ts";

/** Where the sleeps of a strategy begin, and what none of them exceeds. */
export interface SleepLimits {
  readonly baseMs: number;
  /** At least `baseMs`. */
  readonly capMs: number;
}

/**
 * How long to sleep before the next attempt, in milliseconds. `attempt` counts from 0 in the formulas; `previousMs` is the
 * sleep before this one, at first the base. Only strategies with jitter draw a random number, and only one.
 */
export type SleepStrategy = (attempt: number, previousMs: number, limits: SleepLimits, random: RandomSource) => number;

/**
 * What clients that contend can do between two attempts. Full, equal and decorrelated jitter are those of Marc Brooker's
 * "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015) and its aws-samples/aws-arch-backoff-simulator.
 */
export const STRATEGIES = {
  /** At once. */
  none: () => 0,
  /** Always the base. */
  fixed: (_attempt, _previousMs, { baseMs }) => baseMs,
  /** One base more each time. */
  linear: (attempt, _previousMs, { baseMs, capMs }) => Math.min(capMs, baseMs * (attempt + 1)),
  /** Twice as long each time. */
  exponential: (attempt, _previousMs, limits) => exponentialMs(attempt, limits),
  /** Anything from nothing to the exponential delay. */
  full: (attempt, _previousMs, limits, random) => between(0, exponentialMs(attempt, limits), random),
  /** At least half of the exponential delay, at most all of it. */
  equal: (attempt, _previousMs, limits, random) => {
    const delayMs = exponentialMs(attempt, limits);
    return between(delayMs / 2, delayMs, random);
  },
  /** Anything from the base to three times the sleep before; no look at the attempt. */
  decorrelated: (_attempt, previousMs, { baseMs, capMs }, random) =>
    Math.min(capMs, between(baseMs, Math.max(baseMs, previousMs * 3), random)),
} as const satisfies Readonly<Record<string, SleepStrategy>>;

/** The name of a strategy. */
export type StrategyName = keyof typeof STRATEGIES;

/** `min(cap, base · 2^attempt)`: the delay that exponential back-off has without jitter. */
export function exponentialMs(attempt: number, { baseMs, capMs }: SleepLimits): number {
  return delayAtStep(attempt, { initialMs: baseMs, maxMs: capMs });
}

function between(leastMs: number, mostMs: number, random: RandomSource): number {
  return leastMs + random() * (mostMs - leastMs);
}
