import type { BackoffPolicy } from "./backoff.ts";

export type Curve = Pick<BackoffPolicy, "initialMs" | "maxMs">;

/** 2^1024 is infinite in floating point. */
const LARGEST_EXPONENT = 1023;

/** Returns the initial delay at step 0, and twice the previous delay at each later step, up to the maximum. */
export function delayAtStep(step: number, { initialMs, maxMs }: Curve): number {
  return Math.min(maxMs, initialMs * 2 ** Math.min(step, LARGEST_EXPONENT));
}

export function delayAfter(delayMs: number, { maxMs }: Curve): number {
  return Math.min(delayMs * 2, maxMs);
}

export function delaysOf(curve: Curve): number[] {
  const delaysMs = [curve.initialMs];
  for (let delayMs = curve.initialMs; delayMs < curve.maxMs; ) {
    delayMs = delayAfter(delayMs, curve);
    delaysMs.push(delayMs);
  }
  return delaysMs;
}
