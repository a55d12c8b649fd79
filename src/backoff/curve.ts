import type { BackoffPolicy } from "./backoff.ts";

export type Curve = Pick<BackoffPolicy, "initialMs" | "maxMs">;

/** In JavaScript, 2 ** 1024 is Infinity, and an initial delay of 0 times Infinity is NaN. */
const LARGEST_EXPONENT = 1023;

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
