import type { RetryRule } from "../kubelet/retry-rule.ts";
import { isKilledBySync } from "./simulated-run.ts";
import { startQuantiles } from "./start-quantiles.ts";
import type { SimulatedStart } from "./walk.ts";

/** Between which instants the next start comes in 95 of 100 cases; null where it needs no wait, or never comes. */
export type StartWindow = readonly [number, number] | null;

const CONFIDENCE = 0.95;

/** The window of the start after each of these: from the end of the wait to the sync that is late enough for nearly all. */
export function startWindows(starts: readonly SimulatedStart[], rule: RetryRule): StartWindow[] {
  const quantile = startQuantiles(rule);
  return starts.map(({ wait, finishedMs, run }) => {
    if (wait === null || wait.delayMs === 0) return null;
    const latestMs = finishedMs + quantile(wait, finishedMs, isKilledBySync(run.ending), CONFIDENCE);
    return [wait.readyAtMs, Math.max(wait.readyAtMs, latestMs)];
  });
}
