import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import type { Connection } from "../connection/connection.ts";

/** kubectl's limits for discovery (v1.37.1, staging/src/k8s.io/kubectl/pkg/cmd/cmd.go): per second, and at once. */
const [PER_SECOND, BURST] = [50, 50];
/** As many as may be sent at once, so that each does not wait for the answer to another. */
const MOST_IN_FLIGHT = BURST;

export interface RateLimitedConnection extends Connection {
  /** Sends a GET like `get`, but also limits the requests per second. For a caller that sends many requests. */
  getEach: Connection["get"];
  /** Returns the latest Date header of all answers, in ms since 1970; null before the first one. */
  newestClockMs(): number | null;
}

/** Returns a connection that limits its GETs in flight and remembers the API server's clock. */
export function rateLimited(connection: Connection): RateLimitedConnection {
  const inTurn = pLimit(MOST_IN_FLIGHT);
  const myTurn = turns();
  let newestMs: number | null = null;
  const get: Connection["get"] = async (path, options) => {
    const answer = await inTurn(() => connection.get(path, options));
    if (answer.serverClockMs !== null) newestMs = Math.max(newestMs ?? 0, answer.serverClockMs);
    return answer;
  };
  return {
    ...connection,
    newestClockMs: () => newestMs,
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
