import { type CrashLoopPolicy, crashLoopPolicy } from "../kubelet/crash-loop-policy.ts";
import { GATES, isAtLeast, type KubeletVersion } from "../kubelet/versions.ts";

export interface KubeletSettings {
  readonly version: KubeletVersion;
  /** `crashLoopBackOff.maxContainerRestartPeriod`; null for the default of the version. */
  readonly maxRestartPeriodMs: number | null;
  /** The feature gate ReduceDefaultCrashLoopBackOffDecay. */
  readonly reducedDecay: boolean;
  readonly syncFrequencyMs: number | null;
}

/**
 * Returns the back-off rules of a kubelet with these settings. If `maxRestartPeriodMs` is set, the feature gate
 * KubeletCrashLoopBackOffMax is on.
 */
export function policyUnder(settings: KubeletSettings): CrashLoopPolicy {
  const { version, maxRestartPeriodMs, reducedDecay, syncFrequencyMs } = settings;
  const featureGates: Record<string, boolean> = { ReduceDefaultCrashLoopBackOffDecay: reducedDecay };
  if (maxRestartPeriodMs !== null) featureGates["KubeletCrashLoopBackOffMax"] = true;
  return crashLoopPolicy({ version, featureGates, maxContainerRestartPeriodMs: maxRestartPeriodMs, syncFrequencyMs });
}

/**
 * Returns the setting that is too new for the kubelet's version ("max" before "reduced") and, as `since`, the minor
 * version of 1.x that introduced it; null if the version has all settings.
 */
export function unknownSetting(settings: KubeletSettings): { readonly what: "max" | "reduced"; since: number } | null {
  const { version, maxRestartPeriodMs, reducedDecay } = settings;
  const max = GATES.KubeletCrashLoopBackOffMax.alpha;
  const reduced = GATES.ReduceDefaultCrashLoopBackOffDecay.alpha;
  if (maxRestartPeriodMs !== null && !isAtLeast(version, max)) return { what: "max", since: max };
  return reducedDecay && !isAtLeast(version, reduced) ? { what: "reduced", since: reduced } : null;
}
