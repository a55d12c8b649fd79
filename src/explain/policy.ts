import { type CrashLoopPolicy, crashLoopPolicy } from "../kubelet/policy.ts";
import { type KubeletVersion, parseKubeletVersion } from "../kubelet/version.ts";
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
  const version = kubeletVersion === null ? versionByLooks(observed) : parseKubeletVersion(kubeletVersion);
  const policy = crashLoopPolicy({
    version,
    featureGates,
    maxContainerRestartPeriodMs: maxRestartPeriodMs ?? config?.maxContainerRestartPeriodMs ?? null,
    syncFrequencyMs: config?.syncFrequencyMs ?? null,
  });
  const { initialMs, maxMs, resetAfterMs, retry } = policy;
  const basis = basisOf(observed, overrides, kubeletVersion);
  return { policy, explained: { initialMs, maxMs, resetAfterMs, retry: retry.kind, kubeletVersion, basis } };
}

/**
 * Up to v1.34 the kubelet looks at a waiting pod every 10 to 15 s, later ones ever more rarely as the delay grows: so many
 * BackOff events, so close together, come from an old one. Null if they are too few to tell.
 */
function versionByLooks(observed: PodObservation): KubeletVersion | null {
  // Siblings that start and exit make the kubelet look as well.
  if (observed.pod.statuses.filter(({ restartCount }) => restartCount > 0).length > 1) return null;
  for (const { reason, type, count, firstAtMs, lastAtMs } of observed.events) {
    if (reason !== "BackOff" || type !== "Warning" || count < 6 || firstAtMs === null || lastAtMs === null) continue;
    if ((lastAtMs - firstAtMs) / (count - 1) < 20_000) return LAST_WITH_FLAT_RETRY;
  }
  return null;
}

const LAST_WITH_FLAT_RETRY: KubeletVersion = { major: 1, minor: 34 };

function basisOf(
  observed: PodObservation,
  overrides: PolicyOverrides,
  kubeletVersion: string | null,
): PolicyExplanation["basis"] {
  if (Object.values(overrides).some((value) => value !== undefined)) return "flag";
  if (observed.kubeletConfig !== null) return "configz";
  return kubeletVersion === null ? "assumed" : "version";
}
