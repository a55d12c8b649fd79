import type { RandomSource } from "./backoff.ts";
import { delayAtStep } from "./curve.ts";

export interface SleepLimits {
  readonly baseMs: number;
  readonly capMs: number;
}

/** `attempt` counts from 0. `previousMs` is the client's previous sleep; only decorrelated jitter reads it. */
export type SleepStrategy = (attempt: number, previousMs: number, limits: SleepLimits, random: RandomSource) => number;

/**
 * Full, equal and decorrelated jitter are from Marc Brooker's "Exponential Backoff And Jitter" (AWS Architecture Blog,
 * 2015) and its simulator, aws-samples/aws-arch-backoff-simulator.
 */
export const STRATEGIES = {
  none: () => 0,
  fixed: (_attempt, _previousMs, { baseMs }) => baseMs,
  linear: (attempt, _previousMs, { baseMs, capMs }) => Math.min(capMs, baseMs * (attempt + 1)),
  exponential: (attempt, _previousMs, limits) => exponentialMs(attempt, limits),
  full: (attempt, _previousMs, limits, random) => between(0, exponentialMs(attempt, limits), random),
  equal: (attempt, _previousMs, limits, random) => {
    const delayMs = exponentialMs(attempt, limits);
    return between(delayMs / 2, delayMs, random);
  },
  decorrelated: (_attempt, previousMs, { baseMs, capMs }, random) =>
    Math.min(capMs, between(baseMs, Math.max(baseMs, previousMs * 3), random)),
} as const satisfies Readonly<Record<string, SleepStrategy>>;

export type StrategyName = keyof typeof STRATEGIES;

export function exponentialMs(attempt: number, { baseMs, capMs }: SleepLimits): number {
  return delayAtStep(attempt, { initialMs: baseMs, maxMs: capMs });
}

function between(leastMs: number, mostMs: number, random: RandomSource): number {
  return leastMs + random() * (mostMs - leastMs);
}
