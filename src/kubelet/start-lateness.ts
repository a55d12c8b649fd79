import { START_LATENCY, STEP_MS } from "./start-distribution.ts";

/**
 * How much later than on a node at rest the starts of a node come: each share is how likely it is that this is the scale that
 * the node's starts have, 0 for a node at rest.
 */
export interface Pace {
  readonly shares: readonly number[];
}

/** How likely it is that a start comes `n` or more steps later than on a node at rest; the first is 1. */
export type Lateness = Float64Array;

/** That of a node at rest. */
export const ON_TIME: Lateness = Float64Array.of(1);

/** The starts of a node that is not at rest are late by an exponential time; these are the means that it may have. */
const SCALES_MS = [0, 2_000, 4_000, 8_000, 16_000, 32_000];
/** Even at rest, one start in a hundred is late by some seconds (measured: 4 s or more in 1 % of 3,800 starts). */
const RARE = 0.01;
const RARE_MS = 3_000;
/** Nobody knows how many nodes are in trouble; that many in a hundred are taken to be, until their starts tell. */
const TROUBLED = 0.02;
/** `runtimeRequestTimeout`: the kubelet gives up a start that takes longer (pkg/kubelet/apis/config/v1beta1/defaults.go, v1.34.4). */
const TIMEOUT_MS = 120_000;
/** A lateness that nothing explains, so that no scale is ever ruled out. */
const LEAST_FIT = 1e-6;

/** The pace of a node of which the kubelet's instants show how long something took that takes up to 2 s on a node at rest. */
export function paceOf(observedMs: readonly number[]): Pace {
  const weights = SCALES_MS.map((scaleMs, index) => {
    const prior = index === 0 ? 1 - TROUBLED : TROUBLED / (SCALES_MS.length - 1);
    return observedMs.reduce((weight, ms) => weight * (LEAST_FIT + fitOf(ms, scaleMs)), prior);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { shares: weights.map((weight) => weight / total) };
}

/** How likely a node of that scale is to show this duration, which is the difference of two truncated instants. */
function fitOf(observedMs: number, scaleMs: number): number {
  return START_LATENCY.reduce((sum, { steps, share }) => {
    const lateMs = observedMs - steps * STEP_MS;
    // The true duration is less than a second away, the nearer the likelier.
    const around = [-750, -250, 250, 750].reduce((fit, offMs) => {
      const fromMs = lateMs + offMs - 250;
      return fit + (1 - Math.abs(offMs) / 1_000) * (lateShare(fromMs, scaleMs, 1) - lateShare(fromMs + 500, scaleMs, 1));
    }, 0);
    return sum + share * around;
  }, 0);
}

/** How likely so many starts, one after the other, are to be late by so much or more together. */
function lateShare(lateMs: number, scaleMs: number, starts: number): number {
  if (lateMs <= 0) return 1;
  if (scaleMs === 0) return Math.min(1, starts * RARE * Math.exp(-lateMs / RARE_MS));
  let term = Math.exp(-lateMs / scaleMs);
  let share = 0;
  for (let start = 0; start < starts; start++) {
    share += term;
    term *= lateMs / scaleMs / (start + 1);
  }
  return share;
}

/** The lateness of the last of so many starts, one after the other. */
export function latenessAt({ shares }: Pace, starts = 1): Lateness {
  const steps = (starts * TIMEOUT_MS) / STEP_MS;
  return Float64Array.from({ length: steps }, (_, step) =>
    shares.reduce((sum, share, index) => sum + share * lateShare(step * STEP_MS, SCALES_MS[index] ?? 0, starts), 0),
  );
}
