import { isAtLeast, type KubeletVersion } from "./version.ts";

/** What a kubelet does about restarts besides the curve, by version and gates. */
export interface KubeletTraits {
  /** Container-level restartPolicy and restartPolicyRules count. */
  readonly hasRestartRules: boolean;
  /** The rules' action RestartAllContainers counts. */
  readonly hasRestartAll: boolean;
  /**
   * While no app container runs, a last sidecar that is down holds back all app containers: the pod then counts as not
   * initialized. Up to v1.36 (`computeInitContainerActions`, pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.34.4,
   * v1.36.0; not in v1.37.1, which asks `HasAnyActiveRegularContainerStarted`).
   */
  readonly sidecarsHoldBack: boolean;
}

/** The gates that bear on restarts: since which 1.x they are alpha (off) and beta (on), pkg/features/kube_features.go. */
const GATES = {
  KubeletCrashLoopBackOffMax: { alpha: 32, beta: 35 },
  ReduceDefaultCrashLoopBackOffDecay: { alpha: 33, beta: Number.POSITIVE_INFINITY },
  ContainerRestartRules: { alpha: 34, beta: 35 },
  RestartAllContainersOnContainerExits: { alpha: 35, beta: 36 },
} as const;

/** The name of such a gate. */
export type RestartGate = keyof typeof GATES;

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
    sidecarsHoldBack: !isAtLeast(version, 37),
  };
}
