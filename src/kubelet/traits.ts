import { GATES, SINCE } from "./since.ts";
import { isAtLeast, type KubeletVersion } from "./version.ts";

/** What a kubelet does about restarts besides the curve, by version and gates. */
export interface KubeletTraits {
  /** Container-level restartPolicy and restartPolicyRules count. */
  readonly hasRestartRules: boolean;
  /** The rules' action RestartAllContainers counts. */
  readonly hasRestartAll: boolean;
  /**
   * While no app container runs, a last sidecar that is down holds back all app containers: the pod then counts as not
   * initialized.
   */
  readonly sidecarsHoldBack: boolean;
  /** Gates or the configuration can change the curve. */
  readonly isCurveConfigurable: boolean;
  /** The kubelet limits how many events it sends of a pod: for each type of event, or for all of them together. */
  readonly hasEventBurstPerType: boolean;
}

/** The name of such a gate. */
type RestartGate = keyof typeof GATES;

/**
 * Whether a gate is on: as set by hand, else as AllAlpha and AllBeta set its stage, else by its stage. A gate that the
 * version does not know is off, whatever is set.
 */
export function isGateOn(
  gate: RestartGate,
  version: KubeletVersion,
  featureGates: Readonly<Record<string, boolean>>,
): boolean {
  const { alpha, beta } = GATES[gate];
  if (!isAtLeast(version, alpha)) return false;
  const isBeta = isAtLeast(version, beta);
  return featureGates[gate] ?? featureGates[isBeta ? "AllBeta" : "AllAlpha"] ?? isBeta;
}

/** The traits of a kubelet of this version with these gates set by hand. */
export function kubeletTraits(version: KubeletVersion, featureGates: Readonly<Record<string, boolean>>): KubeletTraits {
  const hasRestartRules = isGateOn("ContainerRestartRules", version, featureGates);
  return {
    hasRestartRules,
    hasRestartAll: hasRestartRules && isGateOn("RestartAllContainersOnContainerExits", version, featureGates),
    sidecarsHoldBack: !isAtLeast(version, SINCE.sidecarsDoNotHoldBack),
    isCurveConfigurable: isAtLeast(version, GATES.KubeletCrashLoopBackOffMax.alpha),
    hasEventBurstPerType: isAtLeast(version, SINCE.eventBurstPerType),
  };
}

/** What the key of a back-off entry is made of. */
export type KeyPart = "pod" | "namespace" | "uid" | "container" | "image" | "resources" | "spec-hash";

/** What gives a container a new entry, so that its delays begin anew. */
export type KeyChange = "image" | "resources" | "pod";

const OWNER: readonly KeyPart[] = ["pod", "namespace", "uid", "container"];

/**
 * What a kubelet keeps a container's back-off entry under; null: a kubelet whose version is unknown is taken for the newest.
 * Mirrors `GetBackoffKey`, and `GetStableKey` of older kubelets: see SINCE.
 */
export function backoffKeyParts(version: KubeletVersion | null): readonly KeyPart[] {
  return version === null || isAtLeast(version, SINCE.resourcesInKey)
    ? [...OWNER, "image", "resources"]
    : [...OWNER, "spec-hash"];
}

/**
 * What has to change for a new entry. Of a container's spec only these can, in a pod that is there.
 */
export function keyChanges(version: KubeletVersion | null): readonly KeyChange[] {
  return version === null || isAtLeast(version, SINCE.resizeResets) ? ["image", "resources", "pod"] : ["image", "pod"];
}
