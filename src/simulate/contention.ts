import { delayAtStep } from "../backoff/curve.ts";
import { type SleepStrategy, STRATEGIES, type StrategyName } from "../backoff/jitter-strategies.ts";
import { SYNC_FREQUENCY_MS } from "../kubelet/crash-loop-policy.ts";
import type { RetryRule } from "../kubelet/retry-rule.ts";
import { type ContentionConditions, runContention } from "./contention-run.ts";
import { seededRandom } from "./seeded-random.ts";
import { drawnSyncs } from "./start-choice.ts";

export type ContenderName = StrategyName | "kubelet";

const SINCE_V1_35: RetryRule = { kind: "at-expiry", resyncMs: SYNC_FREQUENCY_MS };

/**
 * Sleeps until the sync that ends the back-off in a kubelet since v1.35, but with the initial and maximum delay of
 * `curve`. The sync loop's tick of one second is left out, because it would hide differences of milliseconds.
 */
const kubelet: SleepStrategy = (attempt, _previousMs, curve, random) => {
  if (attempt <= 1) return 0;
  const delayMs = delayAtStep(attempt - 2, curve);
  const syncs = drawnSyncs(SINCE_V1_35, random, (dueMs) => dueMs);
  return syncs({ readyAtMs: delayMs, plannedAtMs: delayMs, isDropped: false }, 0, true).lastMs;
};

export const CONTENDERS: Readonly<Record<ContenderName, SleepStrategy>> = { ...STRATEGIES, kubelet };

export interface Progress {
  /** From 0 to 1. */
  readonly done: number;
  readonly doing: string;
}

export interface ContentionSettings extends ContentionConditions {
  readonly strategies: readonly ContenderName[];
  readonly clients: readonly number[];
  readonly runs: number;
  readonly seed: number;
}

/** `completionMs` and `calls` are means over the runs. */
export interface ContentionResult {
  readonly strategy: ContenderName;
  readonly clients: number;
  readonly completionMs: number;
  readonly calls: number;
}

export interface Contention {
  readonly settings: ContentionSettings;
  readonly results: readonly ContentionResult[];
}

/** Each run has its own stream of random numbers, so a result does not depend on the other results. */
export function* contend(settings: ContentionSettings): Generator<Progress, Contention> {
  const results: ContentionResult[] = [];
  const totalWork = contentionWork(settings);
  let doneWork = 0;
  for (const strategy of settings.strategies) {
    for (const clients of settings.clients) {
      let completionMs = 0;
      let calls = 0;
      for (let run = 0; run < settings.runs; run++) {
        yield { done: doneWork / totalWork, doing: `${strategy}, ${clients} clients` };
        const random = seededRandom(settings.seed, strategy, clients, run);
        const result = runContention(clients, CONTENDERS[strategy], settings, random);
        completionMs += result.completionMs / settings.runs;
        calls += result.calls / settings.runs;
        doneWork += clients ** 2;
      }
      results.push({ strategy, clients, completionMs, calls });
    }
  }
  return { settings, results };
}

/** Returns an upper limit on the number of writes. In a run with n clients, each client fails at most n - 1 times. */
export function contentionWork({ strategies, clients, runs }: ContentionSettings): number {
  return strategies.length * runs * clients.reduce((sum, count) => sum + count ** 2, 0);
}
