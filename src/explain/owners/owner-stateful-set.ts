import type { Evidence } from "../answer/explanation.ts";
import type { OwnedPod, StatefulSetSnapshot } from "../observed/observation.ts";
import { concluded, countOf, seen } from "./owner-words.ts";

/**
 * What a StatefulSet's update does about a crashing pod. Under OrderedReady nothing goes on past a pod that is not Ready,
 * the replacing of that very pod by a corrected template included (kubernetes/kubernetes#67250). Mirrors the order in
 * `updateStatefulSet` (v1.37.1, pkg/controller/statefulset/stateful_set_control.go).
 */
export function statefulSetEvidence(set: StatefulSetSnapshot, pod: OwnedPod, podCount: number): Evidence[] {
  return [...updateEvidence(set, pod), ...missingPods(set, pod, podCount)];
}

function updateEvidence(set: StatefulSetSnapshot, pod: OwnedPod): Evidence[] {
  const { name, updateRevision, currentRevision, replicas, updatedReplicas } = set;
  if (updateRevision === null || pod.revision === null) return [];
  const updated = `${updatedReplicas} of ${countOf(replicas, "replica")} updated`;
  if (pod.revision !== updateRevision) {
    const newer = `StatefulSet ${name} has a newer template (${updateRevision}) than this pod (${pod.revision})`;
    return [olderPod(set, pod, newer, updated)];
  }
  if (currentRevision === updateRevision || pod.isReady || set.updateStrategy !== "RollingUpdate") return [];
  const waits = `the update of StatefulSet ${name} to ${updateRevision} waits for this pod to be Ready: ${updated}`;
  const trap = "; while it is not, a corrected template does not replace it either: delete it then";
  return [seen("statefulset-update-waits", `${waits}${set.isOrdered ? `${trap} (kubernetes/kubernetes#67250)` : ""}`)];
}

function olderPod(set: StatefulSetSnapshot, pod: OwnedPod, newer: string, updated: string): Evidence {
  const ordinal = Number(/-(\d+)$/.exec(pod.name)?.[1] ?? 0);
  if (set.updateStrategy === "OnDelete")
    return seen("statefulset-on-delete", `${newer}; under OnDelete it gets it when somebody deletes it`);
  if (set.updateStrategy === "RollingUpdate" && ordinal < set.partition)
    return seen(
      "statefulset-partition",
      `${newer}; partition ${set.partition} keeps the pods below that number as they are`,
    );
  if (set.updateStrategy === "RollingUpdate" && set.isOrdered && !pod.isReady) {
    const stuck = "its RollingUpdate replaces nothing while this pod is not Ready";
    const way = "delete the pod to have it made from the newer one (kubernetes/kubernetes#67250)";
    return concluded("statefulset-waits-for-broken-pod", `${newer}, but ${stuck}: ${updated}; ${way}`);
  }
  return seen("statefulset-update", `${newer}, which will replace it: ${updated}`);
}

function missingPods({ name, replicas, isOrdered }: StatefulSetSnapshot, pod: OwnedPod, podCount: number): Evidence[] {
  if (!isOrdered || pod.isReady || podCount === 0 || podCount >= replicas) return [];
  const text = `StatefulSet ${name} has ${podCount} of ${countOf(replicas, "replica")}: under OrderedReady the next is made when this one is Ready`;
  return [concluded("statefulset-ordered", text)];
}
