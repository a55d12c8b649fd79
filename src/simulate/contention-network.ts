import type { RandomSource } from "../backoff/backoff.ts";

/** How long messages take: |normal(mean, sd)|. */
export interface Network {
  readonly meanMs: number;
  readonly sdMs: number;
}

/**
 * How long each message takes that travels over the network, one after another. Marsaglia's polar method, in operations that
 * IEEE 754 rounds alike on every machine: `Math.log` may differ in its last digit, and so could the order of two messages.
 */
export function messageHops({ meanMs, sdMs }: Network, random: RandomSource): () => number {
  let spare: number | undefined;
  return () => {
    if (spare !== undefined) {
      const deviation = spare;
      spare = undefined;
      return Math.abs(meanMs + sdMs * deviation);
    }
    let x: number;
    let y: number;
    let square: number;
    do {
      x = 2 * random() - 1;
      y = 2 * random() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square === 0);
    const scale = Math.sqrt((-2 * naturalLogarithm(square)) / square);
    spare = y * scale;
    return Math.abs(meanMs + sdMs * x * scale);
  };
}

/** The logarithm of a number in (0, 1], to about 15 digits: ln(2^-e · m) with the series of 2·artanh((m − 1)/(m + 1)). */
export function naturalLogarithm(value: number): number {
  let halvings = 0;
  let mantissa = value;
  while (mantissa < Math.SQRT1_2) {
    mantissa *= 2;
    halvings++;
  }
  const ratio = (mantissa - 1) / (mantissa + 1);
  const square = ratio * ratio;
  let series = 0;
  for (let power = LAST_POWER; power > 0; power -= 2) series = series * square + 1 / power;
  return 2 * ratio * series - halvings * Math.LN2;
}

/** |ratio| is below 0.172, so the next term is below 10^-17. */
const LAST_POWER = 21;
