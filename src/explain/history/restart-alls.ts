import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { ContainerSpec, ContainerStatus, PodObservation, PodSnapshot } from "../observed/observation.ts";

/** RestartAllContainers removes every instance: the start after it finds none that exited, and makes no entry. */
export function hasRestartedAll(status: ContainerStatus | null): boolean {
  return status?.lastState?.reason === "RestartingAllContainers";
}

/** Some container's rules may answer an exit with a restart of all. */
export function hasRestartAllRule({ containers }: PodSnapshot): boolean {
  return containers.some(mayRestartAll);
}

/** The containers with such a rule that were restarted with all others the last time. */
export function triggersOf({ containers, statuses }: PodSnapshot): ContainerStatus[] {
  return containers.filter(mayRestartAll).flatMap(({ name }) => {
    const status = statuses.find((candidate) => candidate.name === name) ?? null;
    return status !== null && hasRestartedAll(status) ? [status] : [];
  });
}

/** When the instance was started that a container has now; null while it waits for one. */
export function latestStartOf({ state }: ContainerStatus): number | null {
  return state === null || state.kind === "waiting" ? null : state.startedAtMs;
}

function mayRestartAll({ restartPolicyRules }: ContainerSpec): boolean {
  return restartPolicyRules.some(({ action }) => action === "RestartAllContainers");
}

/** The restarts of all containers that a pod has been through. */
export interface RestartAlls {
  readonly count: number;
  /** The average time from one to the next; null if it cannot be told. */
  readonly paceMs: number | null;
}

/** None at all, or none that a kubelet would do. */
export const NO_RESTART_ALLS: RestartAlls = { count: 0, paceMs: null };

/**
 * How often the pod's containers have all been restarted together, because one of them exited with a code that its rules
 * answer so. Each counts in every container's restartCount, and takes no step of any curve: no exited instance is left
 * (measured on v1.37.1).
 */
export function restartAllsOf({ pod }: PodObservation, { traits }: CrashLoopPolicy): RestartAlls {
  if (!traits.hasRestartAll) return NO_RESTART_ALLS;
  const triggers = triggersOf(pod);
  if (triggers.length === 0) return NO_RESTART_ALLS;
  const latest = triggers.reduce((a, b) => (b.restartCount > a.restartCount ? b : a));
  const count = latest.restartCount;
  const bornAtMs = pod.startedAtMs ?? pod.createdAtMs;
  const startedAtMs = latestStartOf(latest);
  return { count, paceMs: bornAtMs === null || startedAtMs === null ? null : (startedAtMs - bornAtMs) / count };
}
