import { LAST_WITH_FLAT_RETRY } from "../kubelet/policy.ts";
import type { ContainerExplanation } from "./answer/explanation.ts";
import { type JudgedPod, judgePod } from "./judged-pod.ts";
import type { Now, PodObservation } from "./observed/observation.ts";
import { laterOverdue } from "./prediction/overdue.ts";
import type { PolicyOverrides } from "./replay/policy.ts";

/** The pod as it would stand with a kubelet of the last version that looks at it every 10 to 15 s. */
export function elderPod(observed: PodObservation, options: PolicyOverrides, now: Now): JudgedPod {
  return judgePod(observed, options, now, LAST_WITH_FLAT_RETRY);
}

/**
 * The containers as the newest kubelet would restart them, with the windows as long as an elder one may take: it often comes
 * back later to a wait, and starts no app container while the last sidecar is down.
 */
export function allowingForElder(
  newest: readonly ContainerExplanation[],
  elder: readonly ContainerExplanation[],
): ContainerExplanation[] {
  return newest.map((container, index) => {
    const { nextRestart, overdue } = container;
    const older = elder[index];
    if (overdue !== null && older !== undefined) {
      return older.nextRestart === null ? { ...container, overdue: laterOverdue(overdue, older.overdue) } : older;
    }
    const likelyByMs = older?.nextRestart?.likelyByMs ?? 0;
    if (nextRestart === null || likelyByMs <= nextRestart.likelyByMs) return container;
    return { ...container, nextRestart: { ...nextRestart, likelyByMs } };
  });
}
