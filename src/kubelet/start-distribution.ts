import { nextSyncAfterMs, type RetryRule, TICK_MS } from "./retry-rule.ts";

/** The instants of `WaitInView` (restart-window.ts), in ms since the known sync of the pod. */
interface SyncedAtWait {
  readonly readyMs: number;
  readonly plannedMs: number;
  readonly siblingsPlannedMs: readonly number[];
  /** The known sync happened between 0 and this instant. */
  readonly spreadMs: number;
  /** In steps after the known sync: before this, no other sync happened. 0 if a sync can have happened at any time. */
  readonly quietUntilStep: number;
}

/** The resolution of distributions. Windows end on whole seconds, so half a second is enough. */
export const STEP_MS = 500;
/** The API truncates instants to a second, so the true instant is half a second later on average. */
export const TRUNCATION_MS = 500;
/** The time from the sync to `startedAt`: image check, create and start. Measured on v1.34.4 and v1.37.1: 0.1–2 s. */
export const START_LATENCY = [
  { steps: 0, share: 0.45 },
  { steps: 1, share: 0.3 },
  { steps: 2, share: 0.15 },
  { steps: 3, share: 0.1 },
] as const;

/**
 * The longest time from the end of a wait to the start under any retry rule. No delay is longer than 5 minutes, and a
 * sync comes late by at most half of the delay.
 */
export const LATEST_MS = 160_000;

/**
 * Returns the probability of a start in each step since the known sync. Follows the syncs from step to step: each sync that
 * does not start the container spreads its probability evenly over the steps in which the next sync can come. `changes` holds
 * the two ends of each such range, so the probability of a sync in a step is the sum of all changes up to that step.
 */
export function startDistribution(wait: SyncedAtWait, rule: RetryRule): Float64Array {
  const horizonMs = Math.max(wait.plannedMs, wait.readyMs, 0) + LATEST_MS;
  const changes = new Float64Array(Math.ceil(horizonMs / STEP_MS));
  const starts = new Float64Array(changes.length);
  const spreadSteps = Math.max(1, Math.round(wait.spreadMs / STEP_MS));
  addRange(changes, 0, spreadSteps, 1);
  let share = 0;
  for (let step = 0; step < changes.length; step++) {
    share += changes[step] ?? 0;
    if (share < 1e-12) continue;
    if (step * STEP_MS >= wait.readyMs + TRUNCATION_MS) {
      addStart(starts, step, share);
      continue;
    }
    const [from, to] = nextSyncSteps(step, wait, rule);
    const quietUntil = step < spreadSteps ? wait.quietUntilStep : 0;
    addRange(changes, quietUntil < to ? Math.max(from, quietUntil) : from, to, share);
  }
  return starts;
}

function addRange(changes: Float64Array, from: number, to: number, share: number): void {
  const each = share / (to - from);
  if (from < changes.length) changes[from] = (changes[from] ?? 0) + each;
  if (to < changes.length) changes[to] = (changes[to] ?? 0) - each;
}

function addStart(starts: Float64Array, step: number, share: number): void {
  for (const latency of START_LATENCY) {
    const at = step + latency.steps;
    if (at < starts.length) starts[at] = (starts[at] ?? 0) + share * latency.share;
  }
}

/** Returns the steps in which a sync can follow a sync in `step`: from the first number to the second - 1. */
function nextSyncSteps(step: number, wait: SyncedAtWait, rule: RetryRule): readonly [number, number] {
  const atMs = step * STEP_MS;
  let remainingMs = wait.plannedMs + TRUNCATION_MS - atMs;
  for (const sibling of wait.siblingsPlannedMs) {
    if (sibling > atMs && sibling - atMs < remainingMs) remainingMs = sibling - atMs;
  }
  const [leastMs, mostMs] = nextSyncAfterMs(rule, remainingMs);
  return [
    step + Math.max(1, Math.round(leastMs / STEP_MS)),
    step + Math.max(2, Math.round((mostMs + TICK_MS) / STEP_MS)),
  ];
}
