import { setTimeout as sleep } from "node:timers/promises";
import type { ApiAnswer, Connection, GetOptions } from "../connection/connection.ts";
import { MOST_IN_FLIGHT, places } from "./request-places.ts";

/** Asks the API server, when it is this request's turn. */
export type Ask = (path: string, options: GetOptions) => Promise<ApiAnswer>;

/** Ways to ask that are considerate together: neither has more than its share of the requests that wait for an answer. */
export interface PacedAsk {
  /** For what comes one after another anyway, such as pages: as fast as the server answers. */
  readonly ask: Ask;
  /** For many requests at once: no more per second than a busy server can bear. */
  readonly askEach: Ask;
}

/** How hard a server may be pressed. */
export interface Pace {
  /** Requests that wait for their answers at the same time. */
  readonly atOnce: number;
  /** Of many, in the long run. */
  readonly perSecond: number;
  /** As many more until then. */
  readonly burst: number;
}

/** The rate is the one that kubectl allows itself for discovery (v1.37.1, staging/src/k8s.io/kubectl/pkg/cmd/cmd.go). */
const CONSIDERATE: Pace = { atOnce: MOST_IN_FLIGHT, perSecond: 50, burst: 50 };

/** A connection's requests at a considerate pace. */
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

/** A token bucket: waits until there is one. */
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
