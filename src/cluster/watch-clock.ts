import type { Connection } from "./connect.ts";

/** Answers further apart than this are of a clock that was set, not of a slow network. */
const LEAP_MS = 5_000;
/** Clocks of machines drift apart by less: an old bound counts for that much less than a new one. */
const DRIFT = 200e-6;

/**
 * The API server's clock between its answers. Each answer says whole seconds, truncated, and comes late, so that it is a
 * lower bound; the highest bound is nearest to the truth.
 */
export class ServerClock {
  #best: { readonly aheadMs: number; readonly localMs: number } | null = null;

  /** An answer said that it was `serverMs`, and came at `localMs` by the local clock. */
  heard(serverMs: number | null, localMs: number): void {
    if (serverMs === null) return;
    const aheadMs = serverMs - localMs;
    const knownMs = this.#best === null ? aheadMs : this.#best.aheadMs - DRIFT * (localMs - this.#best.localMs);
    const isBetter = aheadMs >= knownMs || knownMs - aheadMs > LEAP_MS;
    if (this.#best === null || isBetter) this.#best = { aheadMs, localMs };
  }

  get isSet(): boolean {
    return this.#best !== null;
  }

  /** The server's time now; null as long as it has not said any. */
  nowMs(localMs: number): number | null {
    return this.#best === null ? null : localMs + this.#best.aheadMs;
  }
}

/** The same connection, with every answer setting the clock. */
export function keepingTime(connection: Connection, clock: ServerClock, localNowMs: () => number): Connection {
  const heard = <T extends { readonly serverClockMs: number | null }>(answer: T): T => {
    clock.heard(answer.serverClockMs, localNowMs());
    return answer;
  };
  return {
    ...connection,
    get: async (path, options) => heard(await connection.get(path, options)),
    stream: async (path, options) => heard(await connection.stream(path, options)),
  };
}
