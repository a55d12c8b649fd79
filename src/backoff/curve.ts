/** Where the delays of a back-off begin, and what none of them exceeds. */
export interface Curve {
  readonly initialMs: number;
  readonly maxMs: number;
}

/** 2^1024 is no number any more. */
const LARGEST_EXPONENT = 1023;

/** The delay at a step of the curve in milliseconds: the initial one at step 0, then twice as long each time, up to the maximum. */
export function delayAtStep(step: number, { initialMs, maxMs }: Curve): number {
  return Math.min(maxMs, initialMs * 2 ** Math.min(step, LARGEST_EXPONENT));
}

/** The delay in milliseconds that follows one of the curve's own. */
export function delayAfter(delayMs: number, { maxMs }: Curve): number {
  return Math.min(delayMs * 2, maxMs);
}

/** Every delay of the curve, in order: initial, 2·initial … max. */
export function delaysOf(curve: Curve): number[] {
  const delaysMs = [curve.initialMs];
  for (let delayMs = curve.initialMs; delayMs < curve.maxMs; ) {
    delayMs = delayAfter(delayMs, curve);
    delaysMs.push(delayMs);
  }
  return delaysMs;
}
