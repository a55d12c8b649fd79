import type { Evidence } from "../answer/explanation.ts";
import type { DaemonSetSnapshot, OwnedPod, RevisionSnapshot } from "../observed/observation.ts";
import { countOf, seen } from "./owner-words.ts";

/** What a DaemonSet's update does about a crashing pod; `newest` is its newest revision. */
export function daemonSetEvidence(
  set: DaemonSetSnapshot,
  pod: OwnedPod,
  newest: RevisionSnapshot | undefined,
): Evidence[] {
  const { name, desired, updated, unavailable, maxUnavailable, updateStrategy } = set;
  if (newest === undefined || pod.revision === null || updated >= desired) return [];
  const numbers = `${updated} of ${countOf(desired, "pod")} updated`;
  if (pod.revision !== newest.name) {
    const newer = `DaemonSet ${name} has a newer template (revision ${newest.number}) than this pod: ${numbers}`;
    const how =
      updateStrategy === "OnDelete" ? "under OnDelete it gets it when somebody deletes it" : "which will replace it";
    return [seen("daemonset-update", `${newer}; ${how}`)];
  }
  if (updateStrategy === "OnDelete" || pod.isReady) return [];
  const limit = `${unavailable} unavailable, at most ${maxUnavailable} (maxUnavailable) may be`;
  return [
    seen(
      "daemonset-update-waits",
      `the update of DaemonSet ${name} waits for pods to be available: ${numbers}, ${limit}`,
    ),
  ];
}
