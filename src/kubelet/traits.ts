import { GATES, isAtLeast, type KubeletVersion, NEWEST_KNOWN_VERSION, SINCE } from "./versions.ts";

export interface KubeletTraits {
  /** Whether the kubelet reads restartPolicyRules, and the restartPolicy of containers that are not sidecars. */
  readonly hasRestartRules: boolean;
  readonly hasRestartAll: boolean;
  readonly keepsRemovedLogs: boolean;
  readonly sidecarsHoldBack: boolean;
  readonly isCurveConfigurable: boolean;
  /** Whether the kubelet uses maxContainerRestartPeriod without a feature gate being set. */
  readonly isMaximumConfigurable: boolean;
  readonly hasEventBurstPerType: boolean;
}

export type FeatureGates = Readonly<Record<string, boolean>>;

export function isGateOn(gate: keyof typeof GATES, version: KubeletVersion, featureGates: FeatureGates): boolean {
  const { alpha, beta } = GATES[gate];
  if (!isAtLeast(version, alpha)) return false;
  const isBeta = isAtLeast(version, beta);
  return featureGates[gate] ?? featureGates[isBeta ? "AllBeta" : "AllAlpha"] ?? isBeta;
}

/** The one gate of {@link GATES} that a Node declares (k8s.io/component-helpers/nodedeclaredfeatures, v0.37.1). */
const DECLARED = "RestartAllContainersOnContainerExits";

/**
 * Returns which gates are on or off, as far as the features that a node declares show this. A kubelet newer than
 * `NEWEST_KNOWN_VERSION` may no longer declare a gate that is on.
 */
export function declaredGates(features: readonly string[], version: KubeletVersion): FeatureGates {
  if (features.includes(DECLARED)) return { [DECLARED]: true, ContainerRestartRules: true };
  const isKnown = isAtLeast(version, SINCE.declaredFeatures) && !isAtLeast(version, NEWEST_KNOWN_VERSION.minor + 1);
  return features.length > 0 && isKnown ? { [DECLARED]: false } : {};
}

export function kubeletTraits(version: KubeletVersion, featureGates: FeatureGates): KubeletTraits {
  const hasRestartRules = isGateOn("ContainerRestartRules", version, featureGates);
  return {
    hasRestartRules,
    hasRestartAll: hasRestartRules && isGateOn("RestartAllContainersOnContainerExits", version, featureGates),
    keepsRemovedLogs: isAtLeast(version, SINCE.keepsRemovedLogs),
    sidecarsHoldBack: !isAtLeast(version, SINCE.sidecarsDoNotHoldBack),
    isCurveConfigurable: isAtLeast(version, GATES.KubeletCrashLoopBackOffMax.alpha),
    isMaximumConfigurable: isAtLeast(version, GATES.KubeletCrashLoopBackOffMax.beta),
    hasEventBurstPerType: isAtLeast(version, SINCE.eventBurstPerType),
  };
}

export type KeyPart = "pod" | "namespace" | "uid" | "container" | "image" | "resources" | "spec-hash";

export type KeyChange = "image" | "resources" | "pod";

const OWNER: readonly KeyPart[] = ["pod", "namespace", "uid", "container"];

export function backoffKeyParts(version: KubeletVersion | null): readonly KeyPart[] {
  return version === null || isAtLeast(version, SINCE.resourcesInKey)
    ? [...OWNER, "image", "resources"]
    : [...OWNER, "spec-hash"];
}

/** Returns changes that can reset a container's back-off. "pod" stands for a new pod. */
export function keyChanges(version: KubeletVersion | null): readonly KeyChange[] {
  return version === null || isAtLeast(version, SINCE.resizeResets) ? ["image", "resources", "pod"] : ["image", "pod"];
}
