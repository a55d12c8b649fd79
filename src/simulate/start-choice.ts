import type { RandomSource } from "../backoff/backoff.ts";
import { HOUSEKEEPING_MS, type Wait } from "../kubelet/do-backoff.ts";
import { nextSyncAfterMs, RELIST_MS, type RetryRule, TICK_MS } from "../kubelet/retry-rule.ts";
import { STEP_MS, StartDistribution } from "../kubelet/start-distribution.ts";
import { START_LATENCY, startsAfter, TRUNCATION_MS } from "../kubelet/starts-after.ts";
import { isKilledBySync, type RunEnd } from "./simulated-run.ts";

interface ChosenStart {
  readonly startedMs: number;
  /** When the status begins to show CrashLoopBackOff, unless the wait has ended by then. */
  readonly shownFromMs: number;
}

export type StartChoice = (wait: Wait, finishedMs: number, ending: RunEnd) => ChosenStart;

export function typicalStarts(rule: RetryRule): StartChoice {
  return (wait, finishedMs, ending) => {
    const startedMs = Math.max(
      wait.readyAtMs,
      finishedMs + startsAfterRun(wait, finishedMs, ending, rule).quantile(0.5),
    );
    const syncMs = finishedMs + RELIST_MS / 2;
    const [leastMs, mostMs] = nextSyncAfterMs(rule, wait.plannedAtMs - syncMs);
    const secondSyncMs = syncMs + (leastMs + mostMs + TICK_MS) / 2;
    return { startedMs, shownFromMs: isShownImmediately(ending) ? finishedMs : secondSyncMs };
  };
}

const STARTING_TIME = StartDistribution.of(0, Float64Array.from(START_LATENCY));

export function drawnStarts(rule: RetryRule, random: RandomSource): StartChoice {
  const syncs = drawnSyncs(rule, random, (dueMs) => dueMs + random() * TICK_MS);
  return (wait, finishedMs, ending) => {
    const { lastMs, secondMs } = syncs(wait, finishedMs, isKilledBySync(ending));
    const startedMs = lastMs + STARTING_TIME.quantile(random());
    return { startedMs, shownFromMs: isShownImmediately(ending) ? finishedMs : secondMs };
  };
}

/**
 * Draws the kubelet's syncs after an exit. `lastMs` is the sync that starts the container. `secondMs` is the second
 * sync; infinite if the first sync starts the container. If `isNoticed`, the first sync comes right at the exit.
 */
export function drawnSyncs(rule: RetryRule, random: RandomSource, tickAfter: (dueMs: number) => number) {
  return (wait: Pick<Wait, "readyAtMs" | "plannedAtMs" | "isDropped">, finishedMs: number, isNoticed: boolean) => {
    const readyMs = wait.readyAtMs + (wait.isDropped ? random() * HOUSEKEEPING_MS : 0);
    const endsMs = Math.min(readyMs, wait.plannedAtMs);
    let lastMs = finishedMs + (isNoticed ? 0 : random() * RELIST_MS);
    let secondMs = Number.POSITIVE_INFINITY;
    while (lastMs < endsMs) {
      const [leastMs, mostMs] = nextSyncAfterMs(rule, wait.plannedAtMs - lastMs);
      lastMs = tickAfter(lastMs + leastMs + random() * (mostMs - leastMs));
      if (secondMs === Number.POSITIVE_INFINITY) secondMs = lastMs;
    }
    return { lastMs, secondMs };
  };
}

/**
 * Assumed: the kubelet's second sync after an exit writes CrashLoopBackOff into the status. After a kill, the second
 * sync comes immediately.
 */
function isShownImmediately(ending: RunEnd): boolean {
  return ending !== "exited";
}

/** Returns the distribution of the next start, as times since the exit. */
export function startsAfterRun(wait: Wait, finishedMs: number, ending: RunEnd, rule: RetryRule): StartDistribution {
  const sinceExit = (atMs: number) => Math.round((atMs - finishedMs) / STEP_MS) * STEP_MS - TRUNCATION_MS;
  const end = {
    readyAtMs: sinceExit(wait.readyAtMs + (wait.isDropped ? HOUSEKEEPING_MS / 2 : 0)),
    plannedAtMs: sinceExit(wait.plannedAtMs),
  };
  // The sync that killed the container knows of the exit immediately.
  const spreadMs = isKilledBySync(ending) ? 0 : RELIST_MS;
  return startsAfter(end, { syncedAtMs: 0, spreadMs, noSyncUntilMs: null, siblingsPlannedAtMs: [] }, rule);
}
