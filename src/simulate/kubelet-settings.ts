import { type CrashLoopPolicy, crashLoopPolicy } from "../kubelet/policy.ts";
import { GATES, isAtLeast, type KubeletVersion } from "../kubelet/versions.ts";

export interface KubeletSettings {
  readonly version: KubeletVersion;
  /** `crashLoopBackOff.maxContainerRestartPeriod`; null: the version's default. */
  readonly maxRestartPeriodMs: number | null;
  /** The gate ReduceDefaultCrashLoopBackOffDecay. */
  readonly reducedDecay: boolean;
  /** `syncFrequency`; null: the default. */
  readonly syncFrequencyMs: number | null;
}

/** The policy of a kubelet with these settings. If they set a maximum, the maximum's gate is on. */
export function policyUnder(settings: KubeletSettings): CrashLoopPolicy {
  const { version, maxRestartPeriodMs, reducedDecay, syncFrequencyMs } = settings;
  const featureGates: Record<string, boolean> = { ReduceDefaultCrashLoopBackOffDecay: reducedDecay };
  if (maxRestartPeriodMs !== null) featureGates["KubeletCrashLoopBackOffMax"] = true;
  return crashLoopPolicy({ version, featureGates, maxContainerRestartPeriodMs: maxRestartPeriodMs, syncFrequencyMs });
}

/** A setting that only newer kubelets than `version` have, and the 1.x that introduced it; null if there is none. */
export function unknownSetting(settings: KubeletSettings): { readonly what: "max" | "reduced"; since: number } | null {
  const { version, maxRestartPeriodMs, reducedDecay } = settings;
  const max = GATES.KubeletCrashLoopBackOffMax.alpha;
  const reduced = GATES.ReduceDefaultCrashLoopBackOffDecay.alpha;
  if (maxRestartPeriodMs !== null && !isAtLeast(version, max)) return { what: "max", since: max };
  return reducedDecay && !isAtLeast(version, reduced) ? { what: "reduced", since: reduced } : null;
}
