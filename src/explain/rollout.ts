import type { WorkloadSnapshot } from "./observed/observation.ts";

const REPLACING_ANY: readonly string[] = ["Deployment", "ReplicaSet", "DaemonSet"];

/**
 * Whether a rollout replaces a pod that is not Ready. The controller of a StatefulSet with OrderedReady, the default,
 * first waits for such a pod (kubernetes/kubernetes#67250); its partition leaves pods as they are. A paused Deployment
 * rolls nothing out, and with OnDelete no rollout replaces a pod. `kind` is that of the pod's controller or of the
 * controller's owner; `workload` is null if it was not read.
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
 * Whether a controller of this kind replaces a deleted pod. False for a Job, which counts a deleted pod as a failure,
 * for a Node, whose kubelet does not restart a deleted static pod, and for kinds that Kubernetes itself does not have.
 */
export function replacesDeletedPods(kind: string): boolean {
  return REPLACING_DELETED.includes(kind);
}
