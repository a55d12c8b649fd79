import type { Connection } from "../connection/connection.ts";

/** Clocks of two machines drift apart by less than this. */
const DRIFT = 200e-6;
/** Date headers have whole seconds, truncated. */
const SECOND_MS = 1_000;

/** How far the server's clock was ahead of the local clock at `atMs` (local): by `leastMs` to `mostMs`. */
type Bounds = Readonly<Record<"leastMs" | "mostMs" | "atMs", number>>;

/**
 * Estimates the API server's clock from the Date headers of its answers. Each header gives a range, and the ranges of several
 * answers overlap in a smaller one. If they do not overlap, somebody has set a clock, and only the last answer counts.
 */
export class ServerClock {
  #bounds: Bounds | null = null;

  /** `serverMs`: the Date header of an answer; the others: the local times of the request and of the answer. */
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

  /** The server's time now; null before its first Date header. */
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

/** Returns the connection; each of its answers sets the clock. */
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
