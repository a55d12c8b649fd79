import { type Excess, type Lateness, STEP_MS, StartDistribution } from "./start-distribution.ts";
import { START_LATENCY } from "./starts-after.ts";

interface StartPart {
  /** Mean delays of this part if it is slow. Each `share` is a probability before any start was observed. */
  readonly excesses: readonly Excess[];
  /** The probability that the next start is slow although the observed starts took the usual time. */
  readonly slowed: number;
  readonly longestMs: number;
}

/**
 * The container runtime's work to report an exit and to start a container. `longestMs` is the default of
 * `RuntimeRequestTimeout` (pkg/kubelet/apis/config/v1beta1/defaults.go, v1.34.4).
 */
export const RUNTIME: StartPart = {
  excesses: [3_000, 6_000, 12_000, 24_000].map((meanMs) => ({ meanMs, share: 0.0125 })),
  slowed: 0.02,
  longestMs: 120_000,
};

/**
 * The image pull before a restart. In six pods that users have published, the pull took 10 to 33 s longer than usual.
 * Of 104 recorded pulls, 5 in 6 took less than 1 s, the others up to 15 s.
 */
export const PULL: StartPart = {
  excesses: [0.25, 0.13, 0.06, 0.03, 0.02, 0.01].map((share, index) => ({ meanMs: 3_000 * 2 ** index, share })),
  slowed: 0.05,
  longestMs: 600_000,
};

/**
 * The first start after a stop of the node or the container runtime. Of seven pods that users have published, four
 * started 28 or 29 s after their exit, and one 8 s.
 */
export const RECOVERY: StartPart = { excesses: [{ meanMs: 15_000, share: 1 }], slowed: 0, longestMs: 300_000 };

/** The share of starts that come some seconds late. Measured on a node at rest: 0.5% come late by 4 s or more. */
const RARE = 0.005;
const RARE_MS = 3_000;
/** Added to an observed duration's probability. Otherwise, a duration that fits no mean would exclude all means. */
const LEAST_FIT = 1e-6;

/** Updates the probabilities of the excesses by Bayes' rule. `observedMs` are durations of this part. */
export function latenessOf({ excesses, slowed, longestMs }: StartPart, observedMs: readonly number[]): Lateness {
  const weightOf = (meanMs: number, prior: number) =>
    observedMs.reduce((weight, ms) => weight * (LEAST_FIT + fitOf(ms, meanMs)), prior);
  const slow = excesses.reduce((sum, { share }) => sum + share, 0);
  const weight = weightOf(0, 1 - slow);
  const weighed = excesses.map((excess) => ({ ...excess, weight: weightOf(excess.meanMs, excess.share) }));
  const total = weight + weighed.reduce((sum, late) => sum + late.weight, 0);
  const newlySlow = (slowed * weight) / total;
  const usual = weight / total - newlySlow;
  const inTime = { meanMs: 0, share: usual * (1 - RARE) };
  const rarelyLate = { meanMs: RARE_MS, share: usual * RARE };
  const late = weighed.map(({ meanMs, share, ...one }) => {
    return { meanMs, share: one.weight / total + newlySlow * (share / slow) };
  });
  return { parts: [inTime, rarelyLate, ...late], longestMs };
}

function fitOf(observedMs: number, meanMs: number): number {
  let fit = 0;
  for (const [steps, share] of START_LATENCY.entries()) {
    const lateMs = observedMs - steps * STEP_MS;
    // The API truncates instants to seconds, so the true duration differs by less than a second; smaller differences
    // are more likely.
    for (const offMs of [-750, -250, 250, 750]) {
      const fromMs = lateMs + offMs - STEP_MS / 2;
      const between = shareOfExcess(fromMs, meanMs) - shareOfExcess(fromMs + STEP_MS, meanMs);
      fit += share * (1 - Math.abs(offMs) / 1_000) * between;
    }
  }
  return fit;
}

function shareOfExcess(lateMs: number, meanMs: number): number {
  if (lateMs <= 0) return 1;
  return meanMs === 0 ? RARE * Math.exp(-lateMs / RARE_MS) : Math.exp(-lateMs / meanMs);
}

const ON_TIME = StartDistribution.of(0, Float64Array.of(1));

/** Returns the 10th and 90th percentiles of the lateness; null if the start is probably on time. */
export function usualRangeOf(lateness: Lateness): { readonly leastMs: number; readonly mostMs: number } | null {
  const [inTime] = lateness.parts;
  if (inTime !== undefined && inTime.share > 0.5 * (1 - RARE)) return null;
  const starts = ON_TIME.laterBy(lateness);
  return { leastMs: starts.quantile(0.1), mostMs: starts.quantile(0.9) };
}
