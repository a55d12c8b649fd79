import { exponentialMs, type SleepStrategy, STRATEGIES, type StrategyName } from "../backoff/jitter-strategies.ts";
import { SYNC_FREQUENCY_MS } from "../kubelet/policy.ts";
import { nextSyncAfterMs, type RetryRule } from "../kubelet/retry-rule.ts";

export type ContenderName = StrategyName | "kubelet";

const SINCE_V1_35: RetryRule = { kind: "at-expiry", resyncMs: SYNC_FREQUENCY_MS };

/**
 * Retries like a kubelet since v1.35, with the base for 10 s and the cap for 300 s: the first retry (attempt 1) is
 * immediate, then the delay doubles without jitter, and the sync at its end is late by up to a half. The kubelet's tick of
 * one second is left out, because it would hide differences of milliseconds.
 */
const kubelet: SleepStrategy = (attempt, _previousMs, limits, random) => {
  if (attempt <= 1) return 0;
  let sleptMs = 0;
  let remainingMs = exponentialMs(attempt - 2, limits);
  while (remainingMs > 0) {
    const [leastMs, mostMs] = nextSyncAfterMs(SINCE_V1_35, remainingMs);
    const syncMs = leastMs + random() * (mostMs - leastMs);
    sleptMs += syncMs;
    remainingMs -= syncMs;
  }
  return sleptMs;
};

export const CONTENDERS: Readonly<Record<ContenderName, SleepStrategy>> = { ...STRATEGIES, kubelet };
