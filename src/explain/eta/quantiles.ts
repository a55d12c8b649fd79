import { SECOND_MS } from "../../kubelet/go-duration.ts";
import { CONFIDENCE, type StartDistribution } from "../../kubelet/start-distribution.ts";
import type { Eta, EtaQuantile } from "../answer/eta.ts";

/** Assumed: a number of starts whose probability is lower than this constant does not change the output. */
const NEGLIGIBLE_CHANCE = 1e-12;
const ROUNDING = 1e-6;

/** Assumes that all starts are independent, although those of one pod's containers may not be. */
export function quantilesOf(
  up: number,
  starts: readonly StartDistribution[],
  nowMs: number,
  shares: readonly number[],
): EtaQuantile[] {
  const endMs = endOfAll(starts, nowMs);
  return shares.map((share) => {
    const count = Math.max(0, Math.ceil((up + starts.length) * share - ROUNDING));
    const firstWith = (chance: number): number =>
      firstSecond(nowMs, endMs, (atMs) => chanceOfStarts(count - up, starts, atMs) >= chance - ROUNDING);
    return { share, count, atMs: firstWith(0.5), likelyByMs: firstWith(CONFIDENCE) };
  });
}

/** Searches by bisection, so `holds` must stay true once it is true. */
function firstSecond(fromMs: number, toMs: number, holds: (atMs: number) => boolean): number {
  let [before, after] = [-1, Math.ceil((toMs - fromMs) / SECOND_MS)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (holds(fromMs + middle * SECOND_MS)) after = middle;
    else before = middle;
  }
  return fromMs + after * SECOND_MS;
}

function chanceOfStarts(count: number, starts: readonly StartDistribution[], atMs: number): number {
  const shares = starts.map((one) => one.by(atMs));
  const certain = shares.filter((share) => share >= 1).length;
  const { least, chances } = countsOf(shares.filter((share) => share > 0 && share < 1));
  return chances.subarray(Math.max(0, count - certain - least)).reduce((sum, chance) => sum + chance, 0);
}

/**
 * Returns a Poisson binomial distribution: `chances[i]` is the probability of `least + i` successes in independent
 * trials with the probabilities `shares`. Leaves out negligible probabilities at both ends.
 */
function countsOf(shares: readonly number[]): { readonly least: number; readonly chances: Float64Array } {
  const chances = new Float64Array(shares.length + 1);
  chances[0] = 1;
  let [least, most] = [0, 0];
  for (const share of shares) {
    most++;
    for (let count = most; count > least; count--)
      chances[count] = (chances[count] ?? 0) * (1 - share) + (chances[count - 1] ?? 0) * share;
    chances[least] = (chances[least] ?? 0) * (1 - share);
    while ((chances[least] ?? 1) < NEGLIGIBLE_CHANCE) least++;
    while (most > least && (chances[most] ?? 1) < NEGLIGIBLE_CHANCE) most--;
    // The next trial reads the entry above `most`, which may still hold a negligible probability.
    if (most < shares.length) chances[most + 1] = 0;
  }
  return { least, chances: chances.slice(least, most + 1) };
}

const POINTS = 200;

export function curveOf(starts: readonly StartDistribution[], nowMs: number): Eta["curve"] {
  const stepMs = (endOfAll(starts, nowMs) - nowMs) / POINTS;
  return Array.from({ length: POINTS + 1 }, (_, index) => {
    const atMs = Math.round(nowMs + index * stepMs);
    return { atMs, up: starts.reduce((sum, one) => sum + one.by(atMs), 0) };
  });
}

function endOfAll(starts: readonly StartDistribution[], nowMs: number): number {
  return starts.reduce((end, one) => Math.max(end, one.toMs), nowMs);
}
