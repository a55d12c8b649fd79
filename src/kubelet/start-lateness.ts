import { START_LATENCY, STEP_MS } from "./start-distribution.ts";

/** How likely it is that a start comes `n` or more steps later than on a node at rest; the first is 1. */
export type Lateness = Float64Array;

/** That of a node at rest. */
export const ON_TIME: Lateness = Float64Array.of(1);

/** A step of a start that takes its usual time, or an exponential time longer, whose mean nobody knows beforehand. */
interface Step {
  /** The means that the excess may have, and how likely each is as long as nothing was observed. */
  readonly excesses: readonly { readonly meanMs: number; readonly share: number }[];
  /** How likely it is that a step that took its usual time until now does so no longer. */
  readonly slowed: number;
  readonly longestMs: number;
}

/**
 * From the sync that starts a container to its `startedAt`, and from an exit to the sync that notices it: the container
 * runtime answers fast or slowly. The kubelet gives up what takes longer than `runtimeRequestTimeout`
 * (pkg/kubelet/apis/config/v1beta1/defaults.go, v1.34.4).
 */
export const RUNTIME: Step = {
  excesses: [3_000, 6_000, 12_000, 24_000].map((meanMs) => ({ meanMs, share: 0.0125 })),
  slowed: 0.02,
  longestMs: 120_000,
};

/**
 * The image pull of a restart: of an image that is on the node mostly a question to the registry, but a kubelet pulls one
 * image after the other (`serializeImagePulls`), and the image may have changed. Of pods that users have published six took 10 to
 * 33 s longer for it; of 104 recorded pulls 5 in 6 took less than 1 s, the others up to 15 s.
 */
export const PULL: Step = {
  excesses: [0.25, 0.13, 0.06, 0.03, 0.02, 0.01].map((share, index) => ({ meanMs: 3_000 * 2 ** index, share })),
  slowed: 0.05,
  longestMs: 600_000,
};

/** Even at rest, this share of all starts is late by some seconds (measured on nodes at rest: 0.5 % by 4 s or more). */
const RARE = 0.005;
const RARE_MS = 3_000;
/** A lateness that nothing explains rules out nothing. */
const LEAST_FIT = 1e-6;

/** What was learned of a step: how likely it is to take its usual time, and an excess with each of its means. */
export interface Pace {
  readonly step: Step;
  readonly usual: number;
  readonly slow: readonly number[];
}

/** Learns from how long a step took; of none observed only the prior is known. */
export function paceOf(step: Step, observedMs: readonly number[]): Pace {
  const { excesses, slowed } = step;
  const weightOf = (meanMs: number, prior: number) =>
    observedMs.reduce((weight, ms) => weight * (LEAST_FIT + fitOf(ms, meanMs)), prior);
  const slow = sumOf(excesses.map(({ share }) => share));
  const usual = weightOf(0, 1 - slow);
  const weights = excesses.map(({ meanMs, share }) => weightOf(meanMs, share));
  const total = usual + sumOf(weights);
  const newlySlow = (slowed * usual) / total;
  return {
    step,
    usual: usual / total - newlySlow,
    slow: weights.map((weight, index) => weight / total + newlySlow * ((excesses[index]?.share ?? 0) / slow)),
  };
}

function sumOf(shares: readonly number[]): number {
  return shares.reduce((sum, share) => sum + share, 0);
}

/** How well a mean explains a duration, which is the difference of two truncated instants; a mean of 0: the usual time. */
function fitOf(observedMs: number, meanMs: number): number {
  let fit = 0;
  for (const { steps, share } of START_LATENCY) {
    const lateMs = observedMs - steps * STEP_MS;
    // The true duration is less than a second away, the nearer the likelier.
    for (const offMs of [-750, -250, 250, 750]) {
      const fromMs = lateMs + offMs - STEP_MS / 2;
      const between = shareOfExcess(fromMs, meanMs) - shareOfExcess(fromMs + STEP_MS, meanMs);
      fit += share * (1 - Math.abs(offMs) / 1_000) * between;
    }
  }
  return fit;
}

/** How likely an excess of so much or more is. */
function shareOfExcess(lateMs: number, meanMs: number): number {
  if (lateMs <= 0) return 1;
  return meanMs === 0 ? RARE * Math.exp(-lateMs / RARE_MS) : Math.exp(-lateMs / meanMs);
}

/** How late a step of this pace is. */
export function latenessOf({ step, usual, slow }: Pace): Lateness {
  return Float64Array.from({ length: Math.ceil(step.longestMs / STEP_MS) }, (_, index) => {
    const lateMs = index * STEP_MS;
    return step.excesses.reduce(
      (sum, { meanMs }, at) => sum + (slow[at] ?? 0) * shareOfExcess(lateMs, meanMs),
      usual * shareOfExcess(lateMs, 0),
    );
  });
}

/** How late such a step is in eight of ten cases, where it is more likely slow than not; else null. */
export function excessOf(pace: Pace): { readonly leastMs: number; readonly mostMs: number } | null {
  if (pace.usual > 0.5) return null;
  const lateness = latenessOf(pace);
  const atShare = (share: number) => lateness.findLastIndex((left) => left >= share) * STEP_MS;
  return { leastMs: atShare(0.9), mostMs: atShare(0.1) };
}

/** How late two steps are, one after the other. */
export function latenessOfBoth(first: Lateness, second: Lateness): Lateness {
  const both = new Float64Array(first.length + second.length - 1);
  for (let at = 0; at < first.length; at++) {
    const share = (first[at] ?? 0) - (first[at + 1] ?? 0);
    for (let step = 0; step < both.length; step++)
      both[step] = (both[step] ?? 0) + share * (step <= at ? 1 : (second[step - at] ?? 0));
  }
  return both;
}
