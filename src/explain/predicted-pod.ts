import { type JudgedPod, judgeAsOlderKubelet, judgePod } from "./judged-pod.ts";
import type { Now, PodObservation } from "./observed/observation.ts";
import { type Prediction, predict } from "./prediction/prediction.ts";
import { byServerClock } from "./prediction/server-clock.ts";
import { laterOverdue, type NextStart } from "./prediction/start-window.ts";
import type { PolicyOverrides } from "./replay/policy.ts";

/** All numbers about a pod: predicted by the server's clock, and for each kubelet version that its node may run. */
export interface PredictedPod {
  readonly judged: JudgedPod;
  /** One for each container, in the order of the spec. */
  readonly containers: readonly Prediction[];
}

export function predictPod(observed: PodObservation, options: PolicyOverrides, now: Now): PredictedPod {
  const judged = judgePod(observed, options, now);
  const containers = predictionsOf(judged);
  if (!judged.isVersionOpen || !containers.some(isDue)) return { judged, containers };
  const older = predictionsOf(judgeAsOlderKubelet(observed, options, now));
  return { judged, containers: containers.map((newest, index) => ofEither(newest, older[index] ?? newest)) };
}

function predictionsOf({ context, skewMs }: JudgedPod): Prediction[] {
  return context.judged.map((own) => byServerClock(predict(own, context), skewMs));
}

function isDue({ nextRestart, overdue }: NextStart): boolean {
  return nextRestart !== null || overdue !== null;
}

/**
 * Extends the window of the next start to its end under an older kubelet, which often syncs later after a wait and
 * starts no app container while the last sidecar is down. If a start is overdue only under the newest kubelet, returns
 * the prediction for the older one.
 */
function ofEither(newest: Prediction, older: Prediction): Prediction {
  const { nextRestart, overdue } = newest;
  if (overdue !== null) {
    return older.nextRestart === null ? { ...newest, overdue: laterOverdue(overdue, older.overdue) } : older;
  }
  const likelyByMs = older.nextRestart?.likelyByMs ?? 0;
  if (nextRestart === null || likelyByMs <= nextRestart.likelyByMs) return newest;
  return { ...newest, nextRestart: { ...nextRestart, likelyByMs } };
}
