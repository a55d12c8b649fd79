import type { PodCase } from "./pod-case.ts";
import type { PodContext } from "./prediction/pod-context.ts";
import { type Prediction, predict } from "./prediction/prediction.ts";
import { byServerClock } from "./prediction/server-clock.ts";
import { laterOverdue } from "./prediction/start-window.ts";

/**
 * Returns the final numbers about each container, in the order of the spec: by the server's clock, and for each kubelet
 * version that the node may run.
 */
export function predictionsOf({ context, older, skewMs }: PodCase): Prediction[] {
  const newest = predictionsIn(context);
  const ofOlder = older === null ? [] : predictionsIn(older);
  const either = newest.map((one, index) => ofEither(one, ofOlder[index] ?? one));
  return either.map((one) => byServerClock(one, skewMs));
}

function predictionsIn(context: PodContext): Prediction[] {
  return context.containers.map((own) => predict(own, context));
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
