import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import { longestLatenessMs } from "../kubelet/retry-rule.ts";
import { type Belief, normalise, type ReplayedRun, startOf } from "./beliefs.ts";

/** How often the container started between its latest forced reset and its oldest seen run. */
export interface StartsBefore {
  readonly count: number;
  /** False: there may have been more, because events were held back. */
  readonly isExact: boolean;
}

/**
 * Every step of the curve for the oldest run that was seen, most of all the one that its restartCount suggests, or after a
 * reset the number of starts since (`startsBefore`).
 */
export function priorBeliefs(run: ReplayedRun, startsBefore: StartsBefore | null, policy: CrashLoopPolicy): Belief[] {
  const startedAtMs = startOf(run);
  const none: Belief = { entry: undefined, previousFinishedAtMs: null, weight: 1, rules: [] };
  if (run.start === 0) return [{ ...none, rules: ["first-run-has-no-entry"] }];
  const killed = run.cause.killedBySync;
  const levels = curve(policy);
  const steps = levels.flatMap((delayMs, level): Belief[] => {
    const weight = stepWeight(level, levels.length - 1, run.start, killed, startsBefore);
    const entry = { delayMs, lastUpdateMs: startedAtMs };
    const counted = startsBefore === null ? "restart-count-names-the-step" : "starts-since-the-reset";
    const rules = [weight > 0.01 ? counted : "earlier-reset"];
    const points = previousExits(levels, level, policy);
    return points.map((beforeMs) => {
      return { entry, previousFinishedAtMs: startedAtMs - beforeMs, weight: weight / points.length, rules };
    });
  });
  const isFirstKill = startsBefore === null && run.start === 1;
  return normalise([...steps, { ...none, weight: isFirstKill ? killed : 1e-4, previousFinishedAtMs: startedAtMs }]);
}

/**
 * How long before the start the exit before it may have been: at once, or after the wait of the step before (at the cap,
 * of the cap itself), on time or as late as the retry rule allows.
 */
function previousExits(levels: readonly number[], level: number, policy: CrashLoopPolicy): number[] {
  const isCap = level === levels.length - 1;
  const waits = [levels[level - 1], isCap ? levels[level] : undefined].filter((waitMs) => waitMs !== undefined);
  return [0, ...waits.flatMap((waitMs) => [waitMs, waitMs + longestLatenessMs(policy.retry, waitMs)])];
}

/** A step of the curve is likely if the counts name it, rare if it takes a reset that nothing tells of. */
function stepWeight(level: number, top: number, start: number, killed: number, before: StartsBefore | null): number {
  const expected = Math.min(before?.count ?? start - 1, top);
  const lagging = before === null ? Math.min(start - 2, top) : expected;
  if (before !== null && !before.isExact && level > expected) return 0.5;
  let weight = level > expected ? 1e-4 : 0.01;
  if (level === expected) weight += 1 - killed;
  if (level === lagging) weight += killed;
  return weight;
}

/** initial, 2·initial … max. */
function curve(policy: CrashLoopPolicy): number[] {
  const levels = [policy.initialMs];
  for (let delayMs = policy.initialMs; delayMs < policy.maxMs; ) {
    delayMs = Math.min(delayMs * 2, policy.maxMs);
    levels.push(delayMs);
  }
  return levels;
}
