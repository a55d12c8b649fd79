import type { WorkloadSnapshot } from "./observed/observation.ts";

const REPLACING_ANY: readonly string[] = ["Deployment", "ReplicaSet", "DaemonSet"];

/**
 * The controller of a StatefulSet with OrderedReady, the default, can wait for a pod that is not Ready instead of
 * replacing it (kubernetes/kubernetes#67250). Since v1.37, the strategy Recreate (alpha) can delete the pod.
 */
export function replacesUnreadyPods(kind: string, workload: WorkloadSnapshot | null = null): boolean {
  if (kind === "StatefulSet") {
    if (workload?.kind !== kind || workload.updateStrategy === "OnDelete") return false;
    return workload.updateStrategy === "Recreate" || (!workload.isOrdered && workload.partition === 0);
  }
  const isByHand = workload?.kind === "DaemonSet" && workload.updateStrategy === "OnDelete";
  const isPaused = workload?.kind === "Deployment" && workload.isPaused;
  return REPLACING_ANY.includes(kind) && !isByHand && !isPaused;
}

const REPLACING_DELETED: readonly string[] = ["ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController"];

/**
 * False for a Job, which can count a deleted pod as failed. False for a Node, the owner of a static pod: the kubelet
 * does not restart a static pod when a user deletes its copy in the API.
 */
export function replacesDeletedPods(kind: string): boolean {
  return REPLACING_DELETED.includes(kind);
}
