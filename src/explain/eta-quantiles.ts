import { endOf, type StartShares, shareBy } from "../kubelet/start-shares.ts";
import { ETA_SHARES, type EtaPoint, type EtaQuantile } from "./answer/eta.ts";

const SECOND_MS = 1_000;
const MEDIAN = 0.5;
const LIKELY = 0.95;
/** Counts that are less likely than this are left out: the others are exact to many more digits than anybody reads. */
const NEGLIGIBLE = 1e-12;
/** Distributions have seven digits. */
const ROUNDING = 1e-6;

/**
 * When each share of `up` containers that run and of those that `starts` tells of is up: quantiles of the order statistics.
 * The containers count as independent, which those of one pod are not quite.
 */
export function quantilesOf(up: number, starts: readonly StartShares[], nowMs: number): EtaQuantile[] {
  const chances = new Map<number, readonly number[]>();
  const counts = ETA_SHARES.map((share) => Math.max(0, Math.ceil((up + starts.length) * share - ROUNDING)));
  const chanceOf = (index: number, atMs: number): number => {
    const known =
      chances.get(atMs) ??
      chancesOfAtLeast(
        counts.map((count) => count - up),
        starts,
        atMs,
      );
    chances.set(atMs, known);
    return known[index] ?? 1;
  };
  const endMs = endOfAll(starts, nowMs);
  return ETA_SHARES.map((share, index) => {
    const firstWith = (chance: number): number =>
      firstSecond(nowMs, endMs, (atMs) => chanceOf(index, atMs) >= chance - ROUNDING);
    return { share, count: counts[index] ?? 0, atMs: firstWith(MEDIAN), likelyByMs: firstWith(LIKELY) };
  });
}

/** The first second from `fromMs` on for which it holds, which it does for all later ones. */
function firstSecond(fromMs: number, toMs: number, holds: (atMs: number) => boolean): number {
  let [before, after] = [-1, Math.ceil((toMs - fromMs) / SECOND_MS)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (holds(fromMs + middle * SECOND_MS)) after = middle;
    else before = middle;
  }
  return fromMs + after * SECOND_MS;
}

/** How likely it is that at least so many have started by then, for each of `counts`. */
function chancesOfAtLeast(counts: readonly number[], starts: readonly StartShares[], atMs: number): number[] {
  const shares = starts.map((one) => shareBy(one, atMs));
  const certain = shares.filter((share) => share >= 1).length;
  const open = shares.filter((share) => share > 0 && share < 1);
  const { least, chances } = countsOf(open);
  return counts.map((count) => {
    const from = count - certain - least;
    let sum = 0;
    for (let index = Math.max(0, from); index < chances.length; index++) sum += chances[index] ?? 0;
    return sum;
  });
}

/** How likely each number of successes is, of trials with these chances: from `least` on. Exact but for what is negligible. */
function countsOf(shares: readonly number[]): { readonly least: number; readonly chances: Float64Array } {
  const chances = new Float64Array(shares.length + 1);
  chances[0] = 1;
  let [least, most] = [0, 0];
  for (const share of shares) {
    most++;
    for (let count = most; count > least; count--)
      chances[count] = (chances[count] ?? 0) * (1 - share) + (chances[count - 1] ?? 0) * share;
    chances[least] = (chances[least] ?? 0) * (1 - share);
    while ((chances[least] ?? 1) < NEGLIGIBLE) least++;
    while (most > least && (chances[most] ?? 1) < NEGLIGIBLE) most--;
    // What has been left out at the top comes back as 0, not as what was there before.
    if (most < shares.length) chances[most + 1] = 0;
  }
  return { least, chances: chances.slice(least, most + 1) };
}

const POINTS = 200;

/** How many have started, in the mean, from now to the end. */
export function curveOf(starts: readonly StartShares[], nowMs: number): EtaPoint[] {
  const stepMs = (endOfAll(starts, nowMs) - nowMs) / POINTS;
  return Array.from({ length: POINTS + 1 }, (_, index) => {
    const atMs = Math.round(nowMs + index * stepMs);
    return { atMs, up: starts.reduce((sum, one) => sum + shareBy(one, atMs), 0) };
  });
}

function endOfAll(starts: readonly StartShares[], nowMs: number): number {
  return starts.reduce((end, one) => Math.max(end, endOf(one)), nowMs);
}
