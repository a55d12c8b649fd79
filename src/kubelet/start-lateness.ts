import { type Lateness, STEP_MS, StartDistribution } from "./start-distribution.ts";
import { START_LATENCY } from "./starts-after.ts";

/** One part of a start, e.g. the image pull. It takes its usual time or, if slow, longer by an exponential excess. */
interface Step {
  readonly excesses: readonly { readonly meanMs: number; readonly share: number }[];
  /** The probability that this part becomes slow after it has taken its usual time so far. */
  readonly slowed: number;
  readonly longestMs: number;
}

/**
 * The container runtime's work: from the sync that starts a container to its `startedAt`, and from an exit to the sync
 * that notices it. The kubelet gives up after `runtimeRequestTimeout` (pkg/kubelet/apis/config/v1beta1/defaults.go,
 * v1.34.4).
 */
export const RUNTIME: Step = {
  excesses: [3_000, 6_000, 12_000, 24_000].map((meanMs) => ({ meanMs, share: 0.0125 })),
  slowed: 0.02,
  longestMs: 120_000,
};

/**
 * The image pull before a restart. If the image is on the node, the kubelet usually only asks the registry, but it
 * pulls one image at a time (`serializeImagePulls`), and the image may have changed. In six pods that users have
 * published, the pull took 10 to 33 s longer; of 104 recorded pulls, 5 in 6 took less than 1 s, the others up to 15 s.
 */
export const PULL: Step = {
  excesses: [0.25, 0.13, 0.06, 0.03, 0.02, 0.01].map((share, index) => ({ meanMs: 3_000 * 2 ** index, share })),
  slowed: 0.05,
  longestMs: 600_000,
};

/**
 * The first start after a stop of the node or the container runtime, which comes up together with all other pods of the
 * node, each in a new sandbox. Of six pods that users have published, four started 28 or 29 s after the exit that the
 * runtime had recorded; a pod of a seventh user started 8 s after its exit.
 */
export const RECOVERY: Step = { excesses: [{ meanMs: 15_000, share: 1 }], slowed: 0, longestMs: 300_000 };

/** The share of starts that come some seconds late on a node at rest. Measured: 0.5% come late by 4 s or more. */
const RARE = 0.005;
const RARE_MS = 3_000;
/** Added to each probability, so that one duration that no mean explains does not rule out all means. */
const LEAST_FIT = 1e-6;

export interface Pace {
  readonly step: Step;
  readonly usual: number;
  readonly slow: readonly number[];
}

/**
 * Returns how fast a part of a start is on this node: updates the part's prior probabilities by Bayes' rule with the
 * observed excess times.
 */
export function paceOf(step: Step, observedMs: readonly number[]): Pace {
  const { excesses, slowed } = step;
  const weightOf = (meanMs: number, prior: number) =>
    observedMs.reduce((weight, ms) => weight * (LEAST_FIT + fitOf(ms, meanMs)), prior);
  const slow = excesses.reduce((sum, { share }) => sum + share, 0);
  const usual = weightOf(0, 1 - slow);
  const weights = excesses.map(({ meanMs, share }) => weightOf(meanMs, share));
  const total = usual + weights.reduce((sum, weight) => sum + weight, 0);
  const newlySlow = (slowed * usual) / total;
  return {
    step,
    usual: usual / total - newlySlow,
    slow: weights.map((weight, index) => weight / total + newlySlow * ((excesses[index]?.share ?? 0) / slow)),
  };
}

/** Returns the probability of an observed excess for a mean excess; the mean 0 stands for the usual time. */
function fitOf(observedMs: number, meanMs: number): number {
  let fit = 0;
  for (const { steps, share } of START_LATENCY) {
    const lateMs = observedMs - steps * STEP_MS;
    // The true duration differs by less than a second; smaller differences are more likely.
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

/** Returns how much later a start comes than on a node at rest. */
export function latenessOf({ step: { excesses, longestMs }, usual, slow }: Pace): Lateness {
  const inTime = { meanMs: 0, share: usual * (1 - RARE) };
  const rarelyLate = { meanMs: RARE_MS, share: usual * RARE };
  const late = excesses.map(({ meanMs }, at) => ({ meanMs, share: slow[at] ?? 0 }));
  return { parts: [inTime, rarelyLate, ...late], longestMs };
}

/** A start at 0. */
const ON_TIME = StartDistribution.of(0, Float64Array.of(1));

/** Returns the range that holds the excess in eight of ten cases; null if the part probably takes its usual time. */
export function excessOf(pace: Pace): { readonly leastMs: number; readonly mostMs: number } | null {
  if (pace.usual > 0.5) return null;
  const lateness = ON_TIME.laterBy(latenessOf(pace));
  return { leastMs: lateness.quantile(0.1), mostMs: lateness.quantile(0.9) };
}
