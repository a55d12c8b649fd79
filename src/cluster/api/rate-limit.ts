import pLimit from "p-limit";
import type { Connection } from "../connection/connection.ts";
import type { Timers } from "../connection/timers.ts";

/**
 * kubectl, too, sends at most 50 requests per second for its discovery, but allows bursts of 300 (`defaultConfigFlags`,
 * kubectl v0.37.1, pkg/cmd/cmd.go).
 */
const [PER_SECOND, BURST] = [50, 50];
const MOST_IN_FLIGHT = BURST;

export function rateLimited(get: Connection["get"], timers: Timers): Connection["get"] {
  const inTurn = pLimit(MOST_IN_FLIGHT);
  const myTurn = turns(timers);
  return async (path, options) => {
    if (options?.isOneOfMany === true) await myTurn();
    return inTurn(() => get(path, options));
  };
}

/** A token bucket. */
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
