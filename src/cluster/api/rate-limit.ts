import pLimit from "p-limit";
import type { Connection } from "../connection/connection.ts";
import type { Timers } from "../connection/timers.ts";

/** The rate of kubectl's discovery, whose bursts are of 300 (`defaultConfigFlags`, k8s.io/kubectl/pkg/cmd/cmd.go). */
const [PER_SECOND, BURST] = [50, 50];
/** No request of a burst waits for the answer to another. */
const MOST_IN_FLIGHT = BURST;

/** Limits the GETs that wait for an answer, and those with `isOneOfMany` also per second. */
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
