import type { Run } from "../../explain/answer/explanation.ts";

/** Where a run that nobody saw is drawn: one place of many in which it can have been. */
export interface Placed {
  readonly start: number;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Spreads runs of which only bounds are known evenly over them: as if all had been equally long, and each wait as short as
 * it can have been. Without any bounds a run has no place and is left out.
 */
export function placeInferred(runs: readonly Run[], beforeMs: number): Placed[] {
  const known = runs.flatMap(({ start, startedBetweenMs, waitedMs }) =>
    startedBetweenMs === null ? [] : [{ start, waitedMs, fromMs: startedBetweenMs[0], toMs: startedBetweenMs[1] }],
  );
  const shareMs = (index: number, share: number): number => {
    const { fromMs = 0, toMs = 0 } = known[index] ?? {};
    return fromMs + (toMs - fromMs) * (share / known.length);
  };
  return known.map(({ start, waitedMs }, index) => {
    const nextMs = index + 1 < known.length ? shareMs(index + 1, index + 1) : beforeMs;
    const startMs = Math.min(shareMs(index, index), nextMs);
    const endMs = waitedMs === null ? shareMs(index, index + 1) : nextMs - waitedMs;
    return { start, startMs, endMs: Math.max(startMs, Math.min(endMs, nextMs)) };
  });
}

/** Spreads `count` runs from `start` on, between two seen ones of which the API tells nothing, evenly between them. */
export function placeBetween(start: number, count: number, fromMs: number, toMs: number): Placed[] {
  const stepMs = (toMs - fromMs) / count;
  return Array.from({ length: count }, (_, index) => ({
    start: start + index,
    startMs: fromMs + index * stepMs,
    endMs: fromMs + (index + 1) * stepMs,
  }));
}
