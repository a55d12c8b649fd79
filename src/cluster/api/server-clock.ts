import { SECOND_MS } from "../../kubelet/go-duration.ts";
import type { Connection } from "../connection/connection.ts";

/** Assumed: the maximum drift between the clocks of two machines, in seconds per second. */
const DRIFT = 200e-6;

/** Estimated: at the local time `atMs`, the API server's clock was ahead of the local one by `leastMs` to `mostMs`. */
type Bounds = Readonly<Record<"leastMs" | "mostMs" | "atMs", number>>;

/**
 * Each Date header gives a range for the difference between the API server's clock and the local clock. The estimate is
 * the middle of the ranges' overlap. Assumed: if a range does not overlap with the earlier ranges, one of the two
 * clocks was changed.
 */
export class ServerClock {
  #bounds: Bounds | null = null;

  /** `serverMs` is from a Date header, which has whole seconds. `askedAtMs` and `heardAtMs` are by the local clock. */
  heard(serverMs: number | null, askedAtMs: number, heardAtMs: number): void {
    if (serverMs === null) return;
    const told = { leastMs: serverMs - heardAtMs, mostMs: serverMs + SECOND_MS - askedAtMs, atMs: heardAtMs };
    const known = this.#bounds === null ? told : widened(this.#bounds, heardAtMs);
    const leastMs = Math.max(told.leastMs, known.leastMs);
    const mostMs = Math.min(told.mostMs, known.mostMs);
    this.#bounds = leastMs <= mostMs ? { leastMs, mostMs, atMs: heardAtMs } : told;
  }

  get isSet(): boolean {
    return this.#bounds !== null;
  }

  nowMs(localMs: number): number | null {
    if (this.#bounds === null) return null;
    const { leastMs, mostMs } = this.#bounds;
    return localMs + (leastMs + mostMs) / 2;
  }
}

function widened({ leastMs, mostMs, atMs }: Bounds, nowMs: number): Bounds {
  const byMs = DRIFT * Math.max(0, nowMs - atMs);
  return { leastMs: leastMs - byMs, mostMs: mostMs + byMs, atMs: nowMs };
}

export function keepingTime(connection: Connection, clock: ServerClock, localNowMs: () => number): Connection {
  const timed = async <T extends { readonly serverClockMs: number | null }>(ask: () => Promise<T>): Promise<T> => {
    const askedAtMs = localNowMs();
    const answer = await ask();
    clock.heard(answer.serverClockMs, askedAtMs, localNowMs());
    return answer;
  };
  return {
    ...connection,
    get: (path, options) => timed(() => connection.get(path, options)),
    stream: (path, options) => timed(() => connection.stream(path, options)),
  };
}

interface DatedConnection extends Connection {
  newestDateMs(): number | null;
}

export function dated(connection: Connection): DatedConnection {
  let newestMs: number | null = null;
  return {
    ...connection,
    newestDateMs: () => newestMs,
    get: async (path, options) => {
      const answer = await connection.get(path, options);
      if (answer.serverClockMs !== null) newestMs = Math.max(newestMs ?? 0, answer.serverClockMs);
      return answer;
    },
  };
}
