import { exponentialMs, type SleepStrategy, STRATEGIES, type StrategyName } from "../backoff/jitter-strategies.ts";
import { crashLoopPolicy } from "../kubelet/policy.ts";
import { nextSyncAfterMs } from "../kubelet/retry-rule.ts";

/** A strategy of the experiment: one of the seven, or what a kubelet does. */
export type ContenderName = StrategyName | "kubelet";

const NEWEST_RETRY_RULE = crashLoopPolicy({
  version: null,
  featureGates: {},
  maxContainerRestartPeriodMs: null,
  syncFrequencyMs: null,
}).retry;

/**
 * A kubelet's rule since v1.35, with base and cap for its 10 s and 300 s: the first retry (attempt 1) is immediate, then the delay doubles
 * without jitter, and only the sync that ends it is late by up to a half. Without the kubelet's one-second tick, in which
 * milliseconds would drown.
 */
const kubelet: SleepStrategy = (attempt, _previousMs, limits, random) => {
  if (attempt <= 1) return 0;
  let sleptMs = 0;
  let remainingMs = exponentialMs(attempt - 2, limits);
  while (remainingMs > 0) {
    const [leastMs, mostMs] = nextSyncAfterMs(NEWEST_RETRY_RULE, remainingMs);
    const syncMs = leastMs + random() * (mostMs - leastMs);
    sleptMs += syncMs;
    remainingMs -= syncMs;
  }
  return sleptMs;
};

/** Every strategy that can take part, by its name. */
export const CONTENDERS: Readonly<Record<ContenderName, SleepStrategy>> = { ...STRATEGIES, kubelet };
