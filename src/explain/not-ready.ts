import { conditionOf, workloadOf } from "./observed/lookups.ts";
import type { ContainerStatus, OwnerReference, PodObservation, PodSnapshot } from "./observed/observation.ts";
import { USUAL_START_MS } from "./triage.ts";

/** A pod that no item is about, and that still has not been Ready for a while. */
export interface NotReadyPod extends Pick<PodSnapshot, "namespace"> {
  readonly pod: string;
  readonly workload: OwnerReference | null;
  readonly sinceMs: number;
  /** The init container that runs, and for which the others wait; null if none does. */
  readonly waitsFor: string | null;
}

/** Returns the pod if it has not been Ready for longer than a usual start takes. */
export function notReadyPod(observed: PodObservation, atMs: number): NotReadyPod[] {
  const { pod } = observed;
  const { namespace, name, statuses } = pod;
  const sinceMs = notReadySinceMs(pod);
  if (sinceMs === null || !isLongNotReady(pod, atMs)) return [];
  const isInit = (status: ContainerStatus): boolean =>
    pod.containers.some((spec) => spec.name === status.name && spec.type === "init");
  const running = statuses.find((status) => status.state?.kind === "running" && isInit(status));
  return [{ namespace, pod: name, workload: workloadOf(observed), sinceMs, waitsFor: running?.name ?? null }];
}

/** Whether the pod has not been Ready for longer than a usual start takes. */
export function isLongNotReady(pod: PodSnapshot, atMs: number): boolean {
  const sinceMs = notReadySinceMs(pod);
  return sinceMs !== null && atMs - sinceMs >= USUAL_START_MS;
}

/** Returns since when a pod that has a node is not Ready; null if it is Ready, or will not be again. */
export function notReadySinceMs(pod: PodSnapshot): number | null {
  const { nodeName, deletionAtMs, phase, createdAtMs } = pod;
  if (nodeName === null || deletionAtMs !== null || (phase !== "Running" && phase !== "Pending")) return null;
  const ready = conditionOf(pod, "Ready");
  // The kubelet sets the condition with the first status that it reports.
  if (ready === undefined) return phase === "Pending" ? createdAtMs : null;
  return ready.status === "True" ? null : ready.lastTransitionAtMs;
}
