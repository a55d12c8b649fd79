import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Evidence } from "../answer/explanation.ts";
import { prose } from "../answer/prose.ts";
import { conditionOf } from "../observed/lookups.ts";
import type {
  DaemonSetSnapshot,
  DeploymentSnapshot,
  OwnedPod,
  RevisionSnapshot,
  StatefulSetSnapshot,
} from "../observed/observation.ts";
import { concluded, stated } from "../words/evidence.ts";

/** `TimedOutReason` and `NewRSAvailableReason` (pkg/controller/deployment/util/deployment_util.go, v1.37.1). */
const TIMED_OUT = "ProgressDeadlineExceeded";
const DONE = "NewReplicaSetAvailable";

export function deploymentEvidence(deployment: DeploymentSnapshot, revisionCount: number): Evidence[] {
  const { name, replicas, updatedReplicas, availableReplicas, progressedAtMs, progressDeadlineMs } = deployment;
  const { status, reason, lastTransitionAtMs } = conditionOf(deployment, "Progressing") ?? {};
  const wanted = inReplicas(replicas);
  const numbers = `${updatedReplicas} of ${wanted} updated, ${availableReplicas} available`;
  if (deployment.isPaused) {
    const until = `until kubectl rollout resume deployment/${name}`;
    return [stated("rollout-paused", `Deployment ${name} is paused: it rolls nothing out ${until}; ${numbers}`)];
  }
  if (status === "False" && reason === TIMED_OUT) {
    const since = lastTransitionAtMs == null ? "" : prose` since ${{ atMs: lastTransitionAtMs }}`;
    const deadline = `${TIMED_OUT}: no progress for ${formatBriefDuration(progressDeadlineMs)}`;
    const text = prose`the rollout of Deployment ${name} is stuck${since} (${deadline}): ${numbers}`;
    const advice = `. Kubernetes won't roll back by itself: kubectl rollout undo deployment/${name}`;
    return [stated("rollout-stuck", prose`${text}${revisionCount > 1 ? advice : ""}`)];
  }
  if (status === "True" && reason !== DONE && updatedReplicas + availableReplicas < 2 * replicas) {
    const deadline =
      progressedAtMs === null
        ? ""
        : prose`; without progress it will be marked as stuck at ${{ atMs: progressedAtMs + progressDeadlineMs }}`;
    return [stated("rollout-waits", prose`the rollout of Deployment ${name} waits: ${numbers}${deadline}`)];
  }
  if (availableReplicas >= replicas) return [];
  return [stated("replicas-missing", `Deployment ${name} has ${availableReplicas} of ${wanted} available`)];
}

/**
 * See `updateStatefulSet` and `processReplica` (pkg/controller/statefulset/stateful_set_control.go, v1.37.1), and
 * kubernetes/kubernetes#67250.
 */
export function statefulSetEvidence(set: StatefulSetSnapshot, pod: OwnedPod, podCount: number): Evidence[] {
  return [...updateEvidence(set, pod), ...missingPods(set, pod, podCount)];
}

function updateEvidence(set: StatefulSetSnapshot, pod: OwnedPod): Evidence[] {
  const { name, updateRevision, currentRevision, replicas, updatedReplicas } = set;
  if (updateRevision === null || pod.revision === null) return [];
  const updated = `${updatedReplicas} of ${inReplicas(replicas)} updated`;
  if (pod.revision !== updateRevision) {
    const newer = `StatefulSet ${name} has a newer template (${updateRevision}) than this pod (${pod.revision})`;
    return [evidenceOfOlderRevision(set, pod, newer, updated)];
  }
  if (currentRevision === updateRevision || pod.isReady || set.updateStrategy !== "RollingUpdate") return [];
  const waits = `the update of StatefulSet ${name} to ${updateRevision} waits for this pod to be Ready: ${updated}`;
  const trap = set.isOrdered
    ? "; a fixed template won't replace it while it is not Ready: delete the pod (kubernetes/kubernetes#67250)"
    : "";
  return [stated("statefulset-update-waits", `${waits}${trap}`)];
}

function evidenceOfOlderRevision(set: StatefulSetSnapshot, pod: OwnedPod, newer: string, updated: string): Evidence {
  const { updateStrategy, partition, firstOrdinal, isOrdered } = set;
  const ordinal = Number(/-(\d+)$/.exec(pod.name)?.[1] ?? 0);
  if (updateStrategy === "OnDelete")
    return stated("statefulset-on-delete", `${newer}; with OnDelete, the pod keeps its template until you delete it`);
  if (updateStrategy === "RollingUpdate" && ordinal - firstOrdinal < partition) {
    const number = firstOrdinal === 0 ? "that number" : `number ${firstOrdinal + partition}`;
    const kept = `partition ${partition} keeps the pods below ${number} as they are`;
    return stated("statefulset-partition", `${newer}; ${kept}`);
  }
  if (updateStrategy === "RollingUpdate" && isOrdered && !pod.isReady) {
    const stuck = "but this pod blocks the rolling update";
    const way = `kubectl delete pod ${pod.name} lets it pick up the new template (kubernetes/kubernetes#67250)`;
    return concluded("statefulset-waits-for-broken-pod", `${newer}, ${stuck}: ${updated}; ${way}`);
  }
  return stated("statefulset-update", `${newer}, which will replace it: ${updated}`);
}

function missingPods({ name, replicas, isOrdered }: StatefulSetSnapshot, pod: OwnedPod, podCount: number): Evidence[] {
  if (!isOrdered || pod.isReady || podCount === 0 || podCount >= replicas) return [];
  const text = `StatefulSet ${name} has ${podCount} of ${inReplicas(replicas)}: with OrderedReady, the next pod waits for this one`;
  return [concluded("statefulset-ordered", text)];
}

export function daemonSetEvidence(set: DaemonSetSnapshot, pod: OwnedPod, newest?: RevisionSnapshot): Evidence[] {
  const { name, desired, updated, unavailable, maxUnavailable, updateStrategy } = set;
  if (newest === undefined || pod.revision === null || updated >= desired) return [];
  const numbers = `${updated} of ${countWords(desired, "pod")} updated`;
  if (pod.revision !== newest.name) {
    const newer = `DaemonSet ${name} has a newer template (revision ${newest.number}) than this pod: ${numbers}`;
    const how =
      updateStrategy === "OnDelete"
        ? "with OnDelete, the pod keeps its template until you delete it"
        : "the update will replace it";
    return [stated("daemonset-update", `${newer}; ${how}`)];
  }
  if (updateStrategy === "OnDelete" || pod.isReady) return [];
  const limit = `${countWords(unavailable, "pod")} unavailable, maxUnavailable is ${maxUnavailable} (${numbers})`;
  return [stated("daemonset-update-waits", `the update of DaemonSet ${name} is paused: ${limit}`)];
}

function inReplicas(count: number): string {
  return count === 1 ? "1 replica" : `${count} replicas`;
}

export function countWords(count: number, noun: string, plural = `${noun}s`): string {
  if (count === 0) return `no ${plural}`;
  return count === 1 ? `one ${noun}` : `${count} ${plural}`;
}
