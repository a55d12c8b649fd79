import { quoted } from "../answer/excerpt.ts";
import type { Ending } from "../answer/explanation.ts";
import type { PodObservation } from "../observed/observation.ts";

/**
 * What has ended the pod: the status of one that failed (evicted, rejected by the kubelet, out of time), else its DisruptionTarget
 * condition (k8s.io/api v0.37.1, core/v1/types.go). Of a preemption the scheduler's event names who took the pod's place.
 */
export function endingOf({ pod, events }: PodObservation): Ending | null {
  if (pod.phase === "Failed" && pod.reason !== null) return ending(pod.reason, pod.message);
  if (pod.phase !== "Failed" && pod.deletionAtMs === null) return null;
  const preempted = events.find(({ reason }) => reason === "Preempted");
  if (preempted !== undefined) return ending(preempted.reason, preempted.message);
  const target = pod.conditions.find(({ type, status }) => type === "DisruptionTarget" && status === "True");
  return target === undefined ? null : ending(target.reason ?? target.type, target.message);
}

function ending(reason: string, message: string | null): Ending {
  return { reason, message: quoted(message ?? "") };
}
