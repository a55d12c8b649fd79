import pLimit from "p-limit";
import type { Connection } from "../connection/connection.ts";
import type { Timers } from "../connection/timers.ts";

/**
 * kubectl limits its requests to 50 per second with bursts of 300 when it asks for an API server's resources
 * (`defaultConfigFlags`, k8s.io/kubectl/pkg/cmd/cmd.go). The smaller burst here spares an overloaded API server.
 */
const [PER_SECOND, BURST] = [50, 50];
/** As large as a burst, so that no request of a burst waits for the answer to another. */
const MOST_IN_FLIGHT = BURST;

/** Limits how many GETs wait for an answer, and how many with `isOneOfMany` the program sends per second. */
export function rateLimited(get: Connection["get"], timers: Timers): Connection["get"] {
  const inTurn = pLimit(MOST_IN_FLIGHT);
  const myTurn = turns(timers);
  return async (path, options) => {
    if (options?.isOneOfMany === true) await myTurn();
    return inTurn(() => get(path, options));
  };
}

/** A token bucket: the function waits until the next request may be sent. */
function turns(timers: Timers): () => Promise<void> {
  const perTurnMs = 1000 / PER_SECOND;
  let fullAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = timers.nowMs();
    fullAtMs = Math.max(fullAtMs, nowMs) + perTurnMs;
    const pauseMs = fullAtMs - nowMs - BURST * perTurnMs;
    if (pauseMs > 0) await new Promise<void>((resolve) => void timers.after(pauseMs, resolve));
  };
}
