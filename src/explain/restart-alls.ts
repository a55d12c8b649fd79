import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import type { ContainerStatus, PodObservation } from "./observation.ts";

/** RestartAllContainers removes every instance: the start after it finds none that exited, and makes no entry. */
export function hasRestartedAll(status: ContainerStatus | null): boolean {
  return status?.lastState?.reason === "RestartingAllContainers";
}

/**
 * How often the pod's containers have all been restarted together, because one of them exited with a code that its rules
 * answer so. Each counts in every container's restartCount, and takes no step of any curve: no exited instance is left
 * (measured on v1.37.1).
 */
export function restartAllsOf({ pod }: PodObservation, { traits }: CrashLoopPolicy): number {
  if (!traits.hasRestartAll) return 0;
  const counts = pod.containers.map(({ name, restartPolicyRules }) => {
    const hasRule = restartPolicyRules.some(({ action }) => action === "RestartAllContainers");
    const status = hasRule ? pod.statuses.find((candidate) => candidate.name === name) : undefined;
    return status !== undefined && hasRestartedAll(status) ? status.restartCount : 0;
  });
  return Math.max(0, ...counts);
}
