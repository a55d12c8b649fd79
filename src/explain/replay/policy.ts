import { type CrashLoopPolicy, crashLoopPolicy, NEWEST_KNOWN_VERSION } from "../../kubelet/policy.ts";
import { type KubeletVersion, parseKubeletVersion } from "../../kubelet/version.ts";
import type { PolicyExplanation } from "../answer/explanation.ts";
import type { Now, PodObservation } from "../observed/observation.ts";
import { type VersionByLooks, versionByLooks } from "./version-by-looks.ts";

/** What the user says of the kubelet: it overrides what was seen. */
export interface PolicyOverrides {
  readonly kubeletVersion?: string;
  readonly maxRestartPeriodMs?: number;
  readonly reducedDecay?: boolean;
}

/** The policy to go by, and what is to be said of it. */
export interface KnownPolicy {
  readonly policy: CrashLoopPolicy;
  readonly explained: PolicyExplanation;
  /** What the looks at the pod say of a kubelet whose version is not told; null if it is told, or if they say nothing. */
  readonly byLooks: VersionByLooks | null;
  /** Nothing tells how the kubelet comes back to a pod: it may be older than the version that is assumed. */
  readonly isVersionOpen: boolean;
}

/**
 * The curve in force on the pod's node, and how that is known. `now` is by the node's clock; `ifOpen` is the version where
 * nothing tells it.
 */
export function policyOf(
  observed: PodObservation,
  overrides: PolicyOverrides,
  now: Now,
  ifOpen: KubeletVersion = NEWEST_KNOWN_VERSION,
): KnownPolicy {
  const config = observed.kubeletConfig;
  const kubeletVersion = overrides.kubeletVersion ?? observed.node?.kubeletVersion ?? null;
  const featureGates = { ...config?.featureGates };
  if (overrides.reducedDecay !== undefined) featureGates["ReduceDefaultCrashLoopBackOffDecay"] = overrides.reducedDecay;
  const { maxRestartPeriodMs } = overrides;
  if (maxRestartPeriodMs !== undefined) featureGates["KubeletCrashLoopBackOffMax"] = true;
  const byLooks = kubeletVersion === null ? versionByLooks(observed, now) : null;
  const version = kubeletVersion === null ? (byLooks?.version ?? null) : parseKubeletVersion(kubeletVersion);
  const isVersionOpen = kubeletVersion === null && byLooks === null;
  const policy = crashLoopPolicy({
    version: isVersionOpen ? ifOpen : version,
    featureGates,
    maxContainerRestartPeriodMs: maxRestartPeriodMs ?? config?.maxContainerRestartPeriodMs ?? null,
    syncFrequencyMs: config?.syncFrequencyMs ?? null,
  });
  const { initialMs, maxMs, resetAfterMs, retry } = policy;
  const basis = basisOf(observed, overrides, kubeletVersion);
  const explained = { initialMs, maxMs, resetAfterMs, retry: retry.kind, kubeletVersion, basis };
  return { policy, explained, byLooks, isVersionOpen };
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
