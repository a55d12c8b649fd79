import { HOUSEKEEPING_MS, type Wait } from "../kubelet/do-backoff.ts";
import { shareStillDown } from "../kubelet/restart-window.ts";
import { RELIST_MS, type RetryRule } from "../kubelet/retry-rule.ts";
import { STEP_MS, TRUNCATION_MS } from "../kubelet/start-distribution.ts";

/** Within this after the end of a wait its start has come, whatever the rule. */
const AT_MOST_LATE_MS = 100_000;

/** By when, counted from the exit at `finishedMs`, this share of all starts has come: the distribution that explains live pods. */
export type StartQuantile = (wait: Wait, finishedMs: number, isNoticed: boolean, share: number) => number;

/**
 * The quantiles of starts under a retry rule, each computed once. `isNoticed`: the exit needs no relist, because the sync that
 * killed the container goes on with it.
 */
export function startQuantiles(rule: RetryRule): StartQuantile {
  const known = new Map<number, number>();
  return (wait, finishedMs, isNoticed, share) => {
    const housekeepingMs = wait.droppedAtMs === null ? 0 : HOUSEKEEPING_MS / 2;
    const readySteps = Math.round((wait.readyAtMs + housekeepingMs - finishedMs) / STEP_MS);
    const plannedSteps = Math.round((wait.plannedAtMs - finishedMs) / STEP_MS);
    const key = ((readySteps * 10_000 + plannedSteps) * 2 + (isNoticed ? 1 : 0)) * 1_001 + Math.round(share * 1_000);
    let quantileMs = known.get(key);
    if (quantileMs === undefined) {
      quantileMs = quantileOf(rule, readySteps * STEP_MS, plannedSteps * STEP_MS, isNoticed, share);
      known.set(key, quantileMs);
    }
    return quantileMs;
  };
}

function quantileOf(rule: RetryRule, readyMs: number, plannedMs: number, isNoticed: boolean, share: number): number {
  const view = viewOf(readyMs, plannedMs, isNoticed);
  const downAt = (step: number) => shareStillDown(view, rule, step * STEP_MS);
  let [below, above] = [0, Math.ceil((Math.max(readyMs, plannedMs) + AT_MOST_LATE_MS) / STEP_MS)];
  while (above - below > 1) {
    const middle = (below + above) >>> 1;
    if (downAt(middle) > 1 - share) below = middle;
    else above = middle;
  }
  const [before, after] = [downAt(below), downAt(above)];
  const within = before === after ? 1 : (before - (1 - share)) / (before - after);
  return (below + within) * STEP_MS;
}

function viewOf(readyMs: number, plannedMs: number, isNoticed: boolean) {
  return {
    readyAtMs: readyMs - TRUNCATION_MS,
    plannedAtMs: plannedMs - TRUNCATION_MS,
    siblingsPlannedAtMs: [],
    syncedAtMs: 0,
    spreadMs: isNoticed ? 0 : RELIST_MS,
    noSyncUntilMs: null,
  };
}

/** How long a start itself takes (image check, create, start), by share: that of a start which nothing has to wait for. */
export function startLatency(): (share: number) => number {
  const rule = { kind: "every-10s" } as const;
  const downAt = (step: number) => shareStillDown(viewOf(0, 0, true), rule, step * STEP_MS);
  const bySteps = Array.from({ length: LONGEST_START_STEPS + 1 }, (_, step) => 1 - downAt(step));
  return (share) => {
    const above = bySteps.findIndex((started) => started > share);
    const [before = 0, after = 1] = [bySteps[above - 1], bySteps[above]];
    return (above - 1 + (share - before) / (after - before)) * STEP_MS;
  };
}

const LONGEST_START_STEPS = 10;
