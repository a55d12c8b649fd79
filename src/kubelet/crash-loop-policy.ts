import type { BackoffPolicy } from "../backoff/backoff.ts";
import { FLAT_RETRY, type RetryRule } from "./retry-rule.ts";
import { type FeatureGates, isGateOn, type KubeletTraits, kubeletTraits } from "./traits.ts";
import { isAtLeast, type KubeletVersion, NEWEST_KNOWN_VERSION, SINCE } from "./versions.ts";

export interface CrashLoopPolicy extends BackoffPolicy {
  readonly resetAfterMs: number;
  readonly retry: RetryRule;
  readonly traits: KubeletTraits;
}

/** Null stands for a value that is unknown or not set. */
export interface PolicyInput {
  readonly version: KubeletVersion | null;
  readonly featureGates: FeatureGates;
  readonly maxContainerRestartPeriodMs: number | null;
  readonly syncFrequencyMs: number | null;
}

/** `MaxCrashLoopBackOff` and `initialCrashLoopBackOff`, pkg/kubelet/kubelet.go, v1.34.4 and v1.37.1. */
export const DEFAULT_CURVE = { initialMs: 10_000, maxMs: 300_000 } as const;
/** `reducedInitialCrashLoopBackOff` and `reducedMaxCrashLoopBackOff`, pkg/kubelet/kubelet.go, since v1.33. */
export const REDUCED_CURVE = { initialMs: 1_000, maxMs: 60_000 } as const;
/**
 * The range of the setting maxContainerRestartPeriod (`ValidateKubeletConfiguration`,
 * pkg/kubelet/apis/config/validation/validation.go, v1.37.1).
 */
export const RESTART_PERIOD_RANGE = { leastMs: 1_000, mostMs: DEFAULT_CURVE.maxMs } as const;
/** `crashLoopBackOff.HasExpiredFunc` (pkg/kubelet/kubelet.go, v1.34.4). */
export const RESET_AFTER_MS = 600_000;
/** The default of `SyncFrequency`, pkg/kubelet/apis/config/v1beta1/defaults.go, v1.34.4 and v1.37.1. */
export const SYNC_FREQUENCY_MS = 60_000;

/**
 * `initialMs` and `maxMs` mirror `newCrashLoopBackOff` (pkg/kubelet/kubelet.go, v1.34.4 and v1.37.1). If the gate
 * KubeletCrashLoopBackOffMax is on, the default maxContainerRestartPeriod of 5m overrides the reduced maximum of 60 s.
 */
export function crashLoopPolicy(input: PolicyInput): CrashLoopPolicy {
  const version = input.version ?? NEWEST_KNOWN_VERSION;
  const { featureGates } = input;
  const reduced = isGateOn("ReduceDefaultCrashLoopBackOffDecay", version, featureGates);
  let { initialMs, maxMs }: { initialMs: number; maxMs: number } = reduced ? REDUCED_CURVE : DEFAULT_CURVE;
  if (isGateOn("KubeletCrashLoopBackOffMax", version, featureGates)) {
    maxMs = input.maxContainerRestartPeriodMs ?? DEFAULT_CURVE.maxMs;
    initialMs = Math.min(initialMs, maxMs);
  }
  const resyncMs = input.syncFrequencyMs ?? SYNC_FREQUENCY_MS;
  return {
    initialMs,
    maxMs,
    resetAfterMs: isAtLeast(version, SINCE.fixedReset) ? RESET_AFTER_MS : maxMs * 2,
    retry: isAtLeast(version, SINCE.retryAtExpiry) ? { kind: "at-expiry", resyncMs } : FLAT_RETRY,
    traits: kubeletTraits(version, featureGates),
  };
}
