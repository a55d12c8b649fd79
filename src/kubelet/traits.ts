import { GATES, isAtLeast, type KubeletVersion, SINCE } from "./versions.ts";

/** Behaviour of a kubelet besides the curve, by version and feature gates. */
export interface KubeletTraits {
  /** The kubelet knows a container's own restartPolicy and restartPolicyRules. */
  readonly hasRestartRules: boolean;
  /** The kubelet knows the action RestartAllContainers. */
  readonly hasRestartAll: boolean;
  /**
   * If no app container runs and the pod's last sidecar is down, the kubelet takes the pod for not initialized and starts no
   * app container.
   */
  readonly sidecarsHoldBack: boolean;
  /** Gates or the configuration can change the curve. */
  readonly isCurveConfigurable: boolean;
  /** The kubelet limits a pod's events for each type of event, not for all types together. */
  readonly hasEventBurstPerType: boolean;
}

/** The feature gates that a kubelet's configuration sets. */
export type FeatureGates = Readonly<Record<string, boolean>>;

/**
 * Whether a gate is on: as the configuration sets the gate, else AllAlpha or AllBeta, else by the gate's stage. A gate that
 * the version does not know is always off.
 */
export function isGateOn(gate: keyof typeof GATES, version: KubeletVersion, featureGates: FeatureGates): boolean {
  const { alpha, beta } = GATES[gate];
  if (!isAtLeast(version, alpha)) return false;
  const isBeta = isAtLeast(version, beta);
  return featureGates[gate] ?? featureGates[isBeta ? "AllBeta" : "AllAlpha"] ?? isBeta;
}

export function kubeletTraits(version: KubeletVersion, featureGates: FeatureGates): KubeletTraits {
  const hasRestartRules = isGateOn("ContainerRestartRules", version, featureGates);
  return {
    hasRestartRules,
    hasRestartAll: hasRestartRules && isGateOn("RestartAllContainersOnContainerExits", version, featureGates),
    sidecarsHoldBack: !isAtLeast(version, SINCE.sidecarsDoNotHoldBack),
    isCurveConfigurable: isAtLeast(version, GATES.KubeletCrashLoopBackOffMax.alpha),
    hasEventBurstPerType: isAtLeast(version, SINCE.eventBurstPerType),
  };
}

export type KeyPart = "pod" | "namespace" | "uid" | "container" | "image" | "resources" | "spec-hash";

export type KeyChange = "image" | "resources" | "pod";

const OWNER: readonly KeyPart[] = ["pod", "namespace", "uid", "container"];

/**
 * The parts of a back-off entry's key. Mirrors `GetBackoffKey`, and `GetStableKey` of older kubelets: see SINCE. A version
 * that is unknown (null) counts as the newest.
 */
export function backoffKeyParts(version: KubeletVersion | null): readonly KeyPart[] {
  return version === null || isAtLeast(version, SINCE.resourcesInKey)
    ? [...OWNER, "image", "resources"]
    : [...OWNER, "spec-hash"];
}

/** Changes that give a container a new back-off entry. No other part of a container's spec can change in an existing pod. */
export function keyChanges(version: KubeletVersion | null): readonly KeyChange[] {
  return version === null || isAtLeast(version, SINCE.resizeResets) ? ["image", "resources", "pod"] : ["image", "pod"];
}
