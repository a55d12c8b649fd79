import type { RandomSource } from "../backoff/backoff.ts";
import { HOUSEKEEPING_MS, type Wait } from "../kubelet/do-backoff.ts";
import { nextSyncAfterMs, RELIST_MS, type RetryRule, TICK_MS } from "../kubelet/retry-rule.ts";
import { type Ending, isKilledBySync } from "./simulated-run.ts";
import { type StartQuantile, startLatency, startQuantiles } from "./start-quantiles.ts";

/** What became of a wait: when its start came, and from when the status said CrashLoopBackOff (later than the start: never). */
interface ChosenStart {
  readonly startedMs: number;
  readonly shownFromMs: number;
}

/** Chooses the start that ends a wait, among all that the kubelet's syncs allow. Instants count from wherever the wait's do. */
export type StartChoice = (wait: Wait, finishedMs: number, ending: Ending) => ChosenStart;

/** The median start: as many come earlier as later. The word comes with the sync that most often is the second. */
export function typicalStarts(rule: RetryRule, quantile: StartQuantile = startQuantiles(rule)): StartChoice {
  return (wait, finishedMs, ending) => {
    const startedMs = Math.max(wait.readyAtMs, finishedMs + quantile(wait, finishedMs, isKilledBySync(ending), 0.5));
    const syncMs = finishedMs + RELIST_MS / 2;
    const [leastMs, mostMs] = nextSyncAfterMs(rule, wait.plannedAtMs - syncMs);
    const secondSyncMs = syncMs + (leastMs + mostMs + TICK_MS) / 2;
    return { startedMs, shownFromMs: isShownAtOnce(ending) ? finishedMs : secondSyncMs };
  };
}

/** Draws each sync of the kubelet, one after the other, to the one that ends the wait. */
export function drawnStarts(rule: RetryRule, random: RandomSource): StartChoice {
  const latencyMs = startLatency();
  return (wait, finishedMs, ending) => {
    const readyMs = wait.droppedAtMs === null ? wait.readyAtMs : wait.droppedAtMs + random() * HOUSEKEEPING_MS;
    const endsMs = Math.min(readyMs, Math.max(wait.plannedAtMs, wait.readyAtMs));
    let syncMs = finishedMs + (isKilledBySync(ending) ? 0 : random() * RELIST_MS);
    let secondSyncMs = Number.POSITIVE_INFINITY;
    while (syncMs < endsMs) {
      const [leastMs, mostMs] = nextSyncAfterMs(rule, wait.plannedAtMs - syncMs);
      syncMs += leastMs + random() * (mostMs - leastMs) + random() * TICK_MS;
      if (secondSyncMs === Number.POSITIVE_INFINITY) secondSyncMs = syncMs;
    }
    const startedMs = syncMs + latencyMs(random());
    return { startedMs, shownFromMs: isShownAtOnce(ending) ? finishedMs : secondSyncMs };
  };
}

/** After a probe kill or a failed hook two syncs follow within a second; after a self-exit the second one is planned. */
function isShownAtOnce(ending: Ending): boolean {
  return ending !== "exited";
}
