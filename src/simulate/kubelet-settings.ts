import { type CrashLoopPolicy, crashLoopPolicy } from "../kubelet/policy.ts";
import { GATES } from "../kubelet/since.ts";
import { isAtLeast, type KubeletVersion } from "../kubelet/version.ts";

/** What of a kubelet's configuration the curve depends on. */
export interface KubeletSettings {
  readonly version: KubeletVersion;
  /** `crashLoopBackOff.maxContainerRestartPeriod`; null: the version's default. */
  readonly maxRestartPeriodMs: number | null;
  /** The gate ReduceDefaultCrashLoopBackOffDecay. */
  readonly reducedDecay: boolean;
  /** `syncFrequency`; null: the default. */
  readonly syncFrequencyMs: number | null;
}

/** The policy of a kubelet with these settings; where the maximum has a gate of its own, that is on if it is set. */
export function policyUnder(settings: KubeletSettings): CrashLoopPolicy {
  const { version, maxRestartPeriodMs, reducedDecay, syncFrequencyMs } = settings;
  const featureGates: Record<string, boolean> = { ReduceDefaultCrashLoopBackOffDecay: reducedDecay };
  if (maxRestartPeriodMs !== null) featureGates["KubeletCrashLoopBackOffMax"] = true;
  return crashLoopPolicy({ version, featureGates, maxContainerRestartPeriodMs: maxRestartPeriodMs, syncFrequencyMs });
}

/** A setting that the version does not have yet, and since which 1.x there is one; null if it has all that are set. */
export function unknownSetting(settings: KubeletSettings): { readonly what: "max" | "reduced"; since: number } | null {
  const { version, maxRestartPeriodMs, reducedDecay } = settings;
  if (maxRestartPeriodMs !== null && !isAtLeast(version, SINCE.max)) return { what: "max", since: SINCE.max };
  if (reducedDecay && !isAtLeast(version, SINCE.reduced)) return { what: "reduced", since: SINCE.reduced };
  return null;
}

const SINCE = {
  max: GATES.KubeletCrashLoopBackOffMax.alpha,
  reduced: GATES.ReduceDefaultCrashLoopBackOffDecay.alpha,
} as const;
