import type { PodCase } from "./pod-case.ts";
import { byServerClock } from "./prediction/by-server-clock.ts";
import type { PodContext } from "./prediction/pod-context.ts";
import { type Prediction, predict } from "./prediction/prediction.ts";
import { startOfEither } from "./prediction/start-window.ts";

/**
 * Returns the prediction for each container, in the order of the spec. Predicted instants are by the API server's
 * clock. Windows allow for each kubelet version that the node may run.
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

/** Returns the prediction for a container whose kubelet may be the newest or an older one, by {@link startOfEither}. */
function ofEither(newest: Prediction, older: Prediction, atMs: number): Prediction {
  if (newest === older) return newest;
  const start = startOfEither(newest, older, atMs);
  return start === older ? older : { ...newest, ...start };
}
