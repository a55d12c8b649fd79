import type { RetryRule } from "../kubelet/retry-rule.ts";
import { CONFIDENCE, type Window, windowFrom } from "../kubelet/start-distribution.ts";
import { startsAfterRun } from "./start-choice.ts";
import { type SimulatedStart, type SimulationPlan, walk } from "./walk.ts";

export type SimulationExtent = { readonly forMs: number } | { readonly restarts: number };

export const MOST_STARTS = 100_000;

const COUNTED_WITHIN_MS = [300_000, 1_800_000, 3_600_000] as const;

export interface Simulation {
  readonly starts: readonly SimulatedStart[];
  readonly figures: Figures;
  /** Whether the simulation stopped after {@link MOST_STARTS} starts, before the end of the requested extent. */
  readonly isCut: boolean;
}

export interface Figures {
  /** The simulated time. If `isCut`, or if a number of restarts was requested, this time ends with the last exit. */
  readonly forMs: number;
  readonly restarts: number;
  /** The share of `forMs` in which an instance ran, 0 to 1. */
  readonly availability: number;
  /** The share of `forMs` in which the status shows CrashLoopBackOff, 0 to 1. */
  readonly shownShare: number;
  readonly longestWaitMs: number | null;
  readonly restartsWithin: readonly { readonly withinMs: number; readonly restarts: number }[];
}

export function simulate(plan: SimulationPlan, extent: SimulationExtent): Simulation {
  const starts: SimulatedStart[] = [];
  const countedMs = COUNTED_WITHIN_MS.at(-1) ?? 0;
  const within = COUNTED_WITHIN_MS.map((withinMs) => ({ withinMs, restarts: 0 }));
  let isCut = false;
  walk(plan, (start) => {
    const isWanted = "forMs" in extent ? start.startedMs <= extent.forMs : start.start <= extent.restarts;
    if (isWanted && starts.length < MOST_STARTS) starts.push(start);
    else if (isWanted) isCut = true;
    for (const count of within) if (start.start > 0 && start.startedMs <= count.withinMs) count.restarts += 1;
    return isWanted ? !isCut : start.startedMs <= countedMs;
  });
  const lastMs = starts.at(-1)?.finishedMs ?? 0;
  const forMs = "forMs" in extent && !isCut ? extent.forMs : lastMs;
  const figures = { ...figuresOf(starts, forMs), restartsWithin: within };
  return { starts, figures, isCut };
}

function figuresOf(starts: readonly SimulatedStart[], forMs: number) {
  let [upMs, shownMs] = [0, 0];
  let longestWaitMs: number | null = null;
  const before = (atMs: number) => Math.min(atMs, forMs);
  for (const { startedMs, finishedMs, nextStartedMs, crashLoopBackOff } of starts) {
    upMs += before(finishedMs) - before(startedMs);
    if (crashLoopBackOff !== null) shownMs += before(crashLoopBackOff.toMs) - before(crashLoopBackOff.fromMs);
    if (nextStartedMs === null || finishedMs > forMs) continue;
    longestWaitMs = Math.max(longestWaitMs ?? 0, nextStartedMs - finishedMs);
  }
  const shareOf = (ms: number) => (forMs === 0 ? 0 : ms / forMs);
  const restarts = Math.max(0, starts.length - 1);
  return { forMs, restarts, availability: shareOf(upMs), shownShare: shareOf(shownMs), longestWaitMs };
}

/** Returns the window of the start after each run; null if no back-off delays that start. */
export function startWindows(starts: readonly SimulatedStart[], rule: RetryRule): (Window | null)[] {
  return starts.map(({ wait, finishedMs, run }) => {
    if (wait === null || wait.delayMs === 0) return null;
    const latestMs = finishedMs + startsAfterRun(wait, finishedMs, run.ending, rule).quantile(CONFIDENCE);
    return windowFrom(wait.readyAtMs, latestMs);
  });
}
