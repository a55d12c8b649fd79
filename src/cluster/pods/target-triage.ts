import type { ContainerStatus, PodSnapshot } from "../../explain/observed/observation.ts";

/**
 * How urgent a pod looks in a list, where nothing but its own status is known: 0 has crashed, 1 cannot start or has exited
 * once, 2 has failed, 3 is not up yet or is being deleted, 4 looks fine.
 */
export type Severity = 0 | 1 | 2 | 3 | 4;

/** The severity of a pod with which all seems well. */
export const FINE = 4;

/** A run of this length outlives the back-off (`backOffReset` of the kubelet is 600 s at least): nothing of it is left. */
const PROVEN_MS = 600_000;

/** What every container waits for before its first start. */
const ORDINARY_WAITS: readonly (string | null)[] = [null, "ContainerCreating", "PodInitializing"];

/** Says which pods to look into first. What it takes for fine is not looked into where there are too many. */
export function severityOf(pod: PodSnapshot, atMs: number): Severity {
  if (pod.deletionAtMs !== null) return 3;
  if (pod.phase === "Failed") return 2;
  if (pod.phase === "Succeeded") return FINE;
  if (pod.statuses.some((status) => hasCrashed(status, pod, atMs))) return 0;
  if (pod.statuses.some((status) => isDown(status, pod))) return 1;
  return pod.phase === "Running" ? FINE : 3;
}

/** Whether a container has crashed, or cannot start, and is not out of that yet. */
export function isFailing(status: ContainerStatus, pod: PodSnapshot, atMs: number): boolean {
  return hasCrashed(status, pod, atMs) || isDown(status, pod);
}

function hasCrashed(status: ContainerStatus, pod: PodSnapshot, atMs: number): boolean {
  if (status.restartCount === 0) return false;
  if (status.state?.kind !== "running") return isDown(status, pod);
  const { startedAtMs } = status.state;
  return startedAtMs === null || atMs - startedAtMs < PROVEN_MS;
}

/** Whether it waits for something out of the ordinary, or has ended and should not have. */
function isDown({ name, state }: ContainerStatus, pod: PodSnapshot): boolean {
  const spec = pod.containers.find((candidate) => candidate.name === name);
  if (spec?.type === "ephemeral") return false;
  if (state?.kind === "waiting") return !ORDINARY_WAITS.includes(state.reason);
  if (state?.kind !== "terminated") return false;
  const isToRun = spec?.type !== "init" && (spec?.restartPolicy ?? pod.restartPolicy) === "Always";
  return isToRun || state.exitCode !== 0;
}

/** All restarts of a pod's containers together. */
export function restartsOf(pod: PodSnapshot): number {
  return pod.statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
}
