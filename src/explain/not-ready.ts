import { conditionOf } from "./observed/lookups.ts";
import type { PodSnapshot } from "./observed/observation.ts";
import { USUAL_START_MS } from "./triage.ts";

/** A pod that no item is about, and that still has not been Ready for a while. */
export interface NotReadyPod extends Pick<PodSnapshot, "namespace"> {
  readonly pod: string;
  readonly sinceMs: number;
}

/** Returns the pod if it has not been Ready for longer than a usual start takes. */
export function notReadyPod(pod: PodSnapshot, atMs: number): NotReadyPod[] {
  const { namespace, name } = pod;
  const sinceMs = notReadySinceMs(pod);
  return sinceMs === null || atMs - sinceMs < USUAL_START_MS ? [] : [{ namespace, pod: name, sinceMs }];
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
