import { exponentialMs, type SleepStrategy, STRATEGIES, type StrategyName } from "../backoff/jitter-strategies.ts";
import { SYNC_FREQUENCY_MS } from "../kubelet/crash-loop-policy.ts";
import type { RetryRule } from "../kubelet/retry-rule.ts";
import { drawnSyncs } from "./start-choice.ts";

export type ContenderName = StrategyName | "kubelet";

const SINCE_V1_35: RetryRule = { kind: "at-expiry", resyncMs: SYNC_FREQUENCY_MS };

/**
 * Sleeps like a kubelet since v1.35, with `baseMs` for its 10 s and `capMs` for its 300 s. The first retry (attempt 1)
 * is immediate. From attempt 2 on, the delay begins at `baseMs` and doubles without jitter, and the sync that ends it
 * is late by up to half of the delay, at most 30 s. Leaves out the kubelet's tick of one second, because the tick would
 * hide differences of milliseconds.
 */
const kubelet: SleepStrategy = (attempt, _previousMs, limits, random) => {
  if (attempt <= 1) return 0;
  const delayMs = exponentialMs(attempt - 2, limits);
  const syncs = drawnSyncs(SINCE_V1_35, random, (dueMs) => dueMs);
  return syncs({ readyAtMs: delayMs, plannedAtMs: delayMs, droppedAtMs: null }, 0, true).lastMs;
};

export const CONTENDERS: Readonly<Record<ContenderName, SleepStrategy>> = { ...STRATEGIES, kubelet };
