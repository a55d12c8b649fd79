import type { WorkloadSnapshot } from "./observed/observation.ts";

const REPLACING_ANY: readonly string[] = ["Deployment", "ReplicaSet", "DaemonSet"];

/**
 * The controller of a StatefulSet with OrderedReady, the default, waits for a pod that has not ended and is not Ready,
 * instead of replacing it (kubernetes/kubernetes#67250). `kind` is the kind of the pod's controller or of the
 * controller's owner; `workload` is null if the program has not read it.
 */
export function replacesUnreadyPods(kind: string, workload: WorkloadSnapshot | null = null): boolean {
  if (kind === "StatefulSet")
    return (
      workload?.kind === kind &&
      !workload.isOrdered &&
      workload.partition === 0 &&
      workload.updateStrategy !== "OnDelete"
    );
  const isByHand = workload?.kind === "DaemonSet" && workload.updateStrategy === "OnDelete";
  const isPaused = workload?.kind === "Deployment" && workload.isPaused;
  return REPLACING_ANY.includes(kind) && !isByHand && !isPaused;
}

const REPLACING_DELETED: readonly string[] = ["ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController"];

/**
 * False for a Job, because a Job counts a deleted pod as failed. False for a Node, the owner of a static pod, because
 * the kubelet does not restart a static pod when a user deletes its copy in the API.
 */
export function replacesDeletedPods(kind: string): boolean {
  return REPLACING_DELETED.includes(kind);
}
