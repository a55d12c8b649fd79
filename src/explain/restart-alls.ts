import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import type { PodObservation } from "./observation.ts";

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
    return status?.lastState?.reason === "RestartingAllContainers" ? status.restartCount : 0;
  });
  return Math.max(0, ...counts);
}
