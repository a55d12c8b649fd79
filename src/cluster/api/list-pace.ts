import { setTimeout as sleep } from "node:timers/promises";
import type { ApiAnswer, Connection, GetOptions } from "../connection/connection.ts";
import { MOST_IN_FLIGHT, places } from "./request-places.ts";

export type Ask = (path: string, options: GetOptions) => Promise<ApiAnswer>;

/** Two ways to send requests, which share the limit of requests in flight. */
export interface PacedAsk {
  /** For requests that follow one another, such as pages: as fast as the API server answers. */
  readonly ask: Ask;
  /** For many requests at a time: also limited in requests per second. */
  readonly askEach: Ask;
}

interface Pace {
  readonly atOnce: number;
  readonly perSecond: number;
  readonly burst: number;
}

/** kubectl's own rate for discovery (v1.37.1, staging/src/k8s.io/kubectl/pkg/cmd/cmd.go). */
const CONSIDERATE: Pace = { atOnce: MOST_IN_FLIGHT, perSecond: 50, burst: 50 };

export function paced({ get }: Pick<Connection, "get">, pace: Pace = CONSIDERATE): PacedAsk {
  const inTurn = places(pace.atOnce);
  const myTurn = turns(pace);
  const ask: Ask = (path, options) => inTurn(() => get(path, options));
  return {
    ask,
    askEach: async (path, options) => {
      await myTurn();
      return ask(path, options);
    },
  };
}

/** A token bucket: waits until there is a token. */
function turns({ perSecond, burst }: Pace): () => Promise<void> {
  const [perTurnMs, burstMs] = [1000 / perSecond, (burst * 1000) / perSecond];
  let fullAtMs = 0;
  return async () => {
    const nowMs = performance.now();
    fullAtMs = Math.max(fullAtMs, nowMs) + perTurnMs;
    const pauseMs = fullAtMs - nowMs - burstMs;
    if (pauseMs > 0) await sleep(pauseMs);
  };
}
