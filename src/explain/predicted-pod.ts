import { StartDistribution } from "../kubelet/start-distribution.ts";
import type { PodCase } from "./pod-case.ts";
import { byServerClock } from "./prediction/by-server-clock.ts";
import type { PodContext } from "./prediction/pod-context.ts";
import { type Prediction, predict } from "./prediction/prediction.ts";
import { laterOverdue, windowOf } from "./prediction/start-window.ts";

/**
 * Returns the final numbers about each container, in the order of the spec. Instants are by the server's clock. Windows
 * allow for each kubelet version that the node may run.
 */
export function predictionsOf({ context, older, skewMs }: PodCase): Prediction[] {
  const newest = predictionsIn(context);
  const ofOlder = older === null ? [] : predictionsIn(older);
  const either = newest.map((one, index) => ofEither(one, ofOlder[index] ?? one, context.atMs));
  return either.map((one) => byServerClock(one, skewMs));
}

function predictionsIn(context: PodContext): Prediction[] {
  return context.containers.map((own) => predict(own, context));
}

/**
 * Returns the prediction if the newest kubelet is as likely as an older one, which syncs at other times after a wait and
 * starts no app container while the last sidecar is down. If a start is overdue only under the newest kubelet, returns
 * the prediction for the older one.
 */
function ofEither(newest: Prediction, older: Prediction, atMs: number): Prediction {
  if (newest === older) return newest;
  const { nextRestart, overdue } = newest;
  if (overdue !== null) {
    return older.nextRestart === null ? { ...newest, overdue: laterOverdue(overdue, older.overdue) } : older;
  }
  if (nextRestart === null || older.nextRestart === null) return newest;
  const both = [newest, older].flatMap(({ starts }) => (starts === undefined ? [] : [{ starts, weight: 1 }]));
  const confidence = Math.min(nextRestart.confidence, older.nextRestart.confidence);
  if (both.length === 2) {
    const starts = StartDistribution.mixed(both);
    return { ...newest, nextRestart: { ...windowOf(starts, atMs), confidence }, starts };
  }
  const likelyByMs = Math.max(nextRestart.likelyByMs, older.nextRestart.likelyByMs);
  return { ...newest, nextRestart: { ...nextRestart, likelyByMs } };
}
