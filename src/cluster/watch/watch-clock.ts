import type { Connection } from "../connection/connection.ts";

/** Clocks of machines drift apart by less. */
const DRIFT = 200e-6;
/** Answers say whole seconds, cut off. */
const SECOND_MS = 1_000;

/** How far the server's clock is ahead of the local one, between two bounds. */
interface Bounds {
  readonly leastMs: number;
  readonly mostMs: number;
  /** By the local clock, when they held: they widen with time. */
  readonly atMs: number;
}

/**
 * The API server's clock between its answers. Each says a whole second that lay between asking and hearing; together they
 * tell more than each of them. If they contradict each other a clock was set, and only the last one counts.
 */
export class ServerClock {
  #bounds: Bounds | null = null;

  /** An answer said that it was `serverMs`; by the local clock it was asked for and heard at these instants. */
  heard(serverMs: number | null, askedAtMs: number, heardAtMs: number): void {
    if (serverMs === null) return;
    const told = { leastMs: serverMs - heardAtMs, mostMs: serverMs + SECOND_MS - askedAtMs, atMs: heardAtMs };
    const known = this.#bounds === null ? told : widened(this.#bounds, heardAtMs);
    const leastMs = Math.max(told.leastMs, known.leastMs);
    const mostMs = Math.min(told.mostMs, known.mostMs);
    this.#bounds = leastMs <= mostMs ? { leastMs, mostMs, atMs: heardAtMs } : told;
  }

  /** Whether the server has said what time it is. */
  get isSet(): boolean {
    return this.#bounds !== null;
  }

  /** The server's time now; null as long as it has not said any. */
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

/** The same connection, with every answer setting the clock. */
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
