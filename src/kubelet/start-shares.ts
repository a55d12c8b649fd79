import { SECOND_MS } from "./retry-rule.ts";

/** The probability that a container has started by each second: a cumulative distribution. */
export interface StartShares {
  /** A whole second before which the container does not start. */
  readonly fromMs: number;
  /** The probabilities of a start by one second after `fromMs`, by two seconds, …; the last one is 1. */
  readonly by: Float32Array;
}

/** The maximum length of a distribution. If it is longer, its last second gets the rest of the probability. */
const MOST_SECONDS = 7_200;

export function shareBy({ fromMs, by }: StartShares, atMs: number): number {
  const second = Math.floor((atMs - fromMs) / SECOND_MS);
  return second <= 0 ? 0 : (by[second - 1] ?? 1);
}

export function endOf({ fromMs, by }: StartShares): number {
  return fromMs + by.length * SECOND_MS;
}

/** Returns the first whole second by which a start has at least the probability `share`. */
export function instantOf(starts: StartShares, share: number): number {
  const second = starts.by.findIndex((reached) => reached >= share);
  return second === -1 ? endOf(starts) : starts.fromMs + (second + 1) * SECOND_MS;
}

/** Returns the distribution that `by` gives: the probability of a start by each instant, 1 from `toMs` on. */
export function tabulated(fromMs: number, toMs: number, by: (atMs: number) => number): StartShares {
  const wholeMs = Math.floor(fromMs / SECOND_MS) * SECOND_MS;
  const seconds = Math.min(MOST_SECONDS, Math.max(1, Math.ceil((toMs - wholeMs) / SECOND_MS)));
  const table = Float32Array.from({ length: seconds }, (_, index) => by(wholeMs + (index + 1) * SECOND_MS));
  table[seconds - 1] = 1;
  return { fromMs: wholeMs, by: table };
}

/** Returns a uniform distribution that begins at `fromMs` and reaches the probability `confidence` at `toMs`. */
export function evenly(fromMs: number, toMs: number, confidence: number): StartShares {
  const lengthMs = Math.max(1, (toMs - fromMs) / confidence);
  return tabulated(fromMs, fromMs + lengthMs, (atMs) => Math.min(1, (atMs - fromMs) / lengthMs));
}

export function mixed(parts: readonly { readonly starts: StartShares; readonly weight: number }[]): StartShares {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const fromMs = Math.min(...parts.map(({ starts }) => starts.fromMs));
  const toMs = Math.max(...parts.map(({ starts }) => endOf(starts)));
  return tabulated(fromMs, toMs, (atMs) =>
    parts.reduce((sum, { starts, weight }) => sum + (weight / total) * shareBy(starts, atMs), 0),
  );
}

export function later(one: StartShares, other: StartShares): StartShares {
  const fromMs = Math.max(one.fromMs, other.fromMs);
  const toMs = Math.max(endOf(one), endOf(other));
  return tabulated(fromMs, toMs, (atMs) => shareBy(one, atMs) * shareBy(other, atMs));
}

/** Returns the distribution `ms` later, rounded to whole seconds. */
export function shifted({ fromMs, by }: StartShares, ms: number): StartShares {
  return { fromMs: fromMs + Math.round(ms / SECOND_MS) * SECOND_MS, by };
}
