import { type CrashLoopPolicy, crashLoopPolicy } from "../kubelet/policy.ts";
import { parseKubeletVersion } from "../kubelet/version.ts";
import type { PolicyExplanation } from "./explanation.ts";
import type { PodObservation } from "./observation.ts";

/** What the user says of the kubelet: it overrides what was seen. */
export interface PolicyOverrides {
  readonly kubeletVersion?: string;
  readonly maxRestartPeriodMs?: number;
  readonly reducedDecay?: boolean;
}

/** The curve in force on the pod's node, and how that is known. */
export function policyOf(
  observed: PodObservation,
  overrides: PolicyOverrides,
): { policy: CrashLoopPolicy; explained: PolicyExplanation } {
  const config = observed.kubeletConfig;
  const kubeletVersion = overrides.kubeletVersion ?? observed.node?.kubeletVersion ?? null;
  const featureGates = { ...config?.featureGates };
  if (overrides.reducedDecay !== undefined) featureGates["ReduceDefaultCrashLoopBackOffDecay"] = overrides.reducedDecay;
  const { maxRestartPeriodMs } = overrides;
  if (maxRestartPeriodMs !== undefined) featureGates["KubeletCrashLoopBackOffMax"] = true;
  const policy = crashLoopPolicy({
    version: kubeletVersion === null ? null : parseKubeletVersion(kubeletVersion),
    featureGates,
    maxContainerRestartPeriodMs: maxRestartPeriodMs ?? config?.maxContainerRestartPeriodMs ?? null,
    syncFrequencyMs: config?.syncFrequencyMs ?? null,
  });
  const { initialMs, maxMs, resetAfterMs, retry } = policy;
  const basis = basisOf(observed, overrides, kubeletVersion);
  return { policy, explained: { initialMs, maxMs, resetAfterMs, retry: retry.kind, kubeletVersion, basis } };
}

function basisOf(
  observed: PodObservation,
  overrides: PolicyOverrides,
  kubeletVersion: string | null,
): PolicyExplanation["basis"] {
  if (Object.values(overrides).some((value) => value !== undefined)) return "flag";
  if (observed.kubeletConfig !== null) return "configz";
  return kubeletVersion === null ? "assumed" : "version";
}
