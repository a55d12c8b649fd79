import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import type { Connection } from "../connection/connection.ts";

/**
 * kubectl's limits for discovery (v1.37.1, staging/src/k8s.io/kubectl/pkg/cmd/cmd.go): requests per second, and in a
 * burst.
 */
const [PER_SECOND, BURST] = [50, 50];
/** As many as in a burst, so that no request of a burst waits for the answer to another. */
const MOST_IN_FLIGHT = BURST;

export interface RateLimitedConnection extends Connection {
  /** Sends a GET like `get`, but also limits the requests per second. For a caller that sends many requests. */
  getEach: Connection["get"];
}

/** Returns a connection that limits its GETs in flight. */
export function rateLimited(connection: Connection): RateLimitedConnection {
  const inTurn = pLimit(MOST_IN_FLIGHT);
  const myTurn = turns();
  const get: Connection["get"] = (path, options) => inTurn(() => connection.get(path, options));
  return {
    ...connection,
    get,
    getEach: async (path, options) => {
      await myTurn();
      return get(path, options);
    },
  };
}

/** Makes a function that waits until the next request may be sent (a token bucket). */
function turns(): () => Promise<void> {
  const perTurnMs = 1000 / PER_SECOND;
  let fullAtMs = 0;
  return async () => {
    const nowMs = performance.now();
    fullAtMs = Math.max(fullAtMs, nowMs) + perTurnMs;
    const pauseMs = fullAtMs - nowMs - BURST * perTurnMs;
    if (pauseMs > 0) await sleep(pauseMs);
  };
}

/** Marks all GETs of a connection as optional, so that the program repeats a failed GET at most once. */
export function bestEffort(connection: Connection): Connection {
  return { ...connection, get: (path, options) => connection.get(path, { ...options, isOptional: true }) };
}
