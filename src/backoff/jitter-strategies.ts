import type { RandomSource } from "./backoff.ts";
import { type Curve, delayAtStep } from "./curve.ts";

/** `previousMs` is the client's previous sleep; before the first sleep, it is `initialMs` of the curve. */
export type SleepStrategy = (attempt: number, previousMs: number, curve: Curve, random: RandomSource) => number;

/**
 * Full, equal and decorrelated jitter are from Marc Brooker's "Exponential Backoff And Jitter" (AWS Architecture Blog,
 * 2015) and its simulator, aws-samples/aws-arch-backoff-simulator.
 */
export const STRATEGIES = {
  none: () => 0,
  fixed: (_attempt, _previousMs, { initialMs }) => initialMs,
  linear: (attempt, _previousMs, { initialMs, maxMs }) => Math.min(maxMs, initialMs * (attempt + 1)),
  exponential: (attempt, _previousMs, curve) => delayAtStep(attempt, curve),
  full: (attempt, _previousMs, curve, random) => between(0, delayAtStep(attempt, curve), random),
  equal: (attempt, _previousMs, curve, random) => {
    const delayMs = delayAtStep(attempt, curve);
    return between(delayMs / 2, delayMs, random);
  },
  decorrelated: (_attempt, previousMs, { initialMs, maxMs }, random) =>
    Math.min(maxMs, between(initialMs, Math.max(initialMs, previousMs * 3), random)),
} as const satisfies Readonly<Record<string, SleepStrategy>>;

export type StrategyName = keyof typeof STRATEGIES;

function between(leastMs: number, mostMs: number, random: RandomSource): number {
  return leastMs + random() * (mostMs - leastMs);
}
