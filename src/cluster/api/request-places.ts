import type { Connection } from "../connection/connection.ts";

/** However much is asked for, an API server has no more than this of our requests to answer at once. */
export const MOST_IN_FLIGHT = 10;

/** Runs at most `count` tasks at a time; the others wait in order. */
export function places(count: number): <Result>(visit: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = count;
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return async (visit) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await visit();
    } finally {
      leave();
    }
  };
}

/** A connection that asks no more at once than is polite, and remembers the server's clock. */
interface PoliteConnection extends Connection {
  /** The newest Date header so far; null without any. */
  newestClockMs(): number | null;
}

/** The same connection (and its pool), with requests in excess of ten waiting for their turn. */
export function politely(connection: Connection): PoliteConnection {
  const inTurn = places(MOST_IN_FLIGHT);
  let newestMs: number | null = null;
  return {
    ...connection,
    newestClockMs: () => newestMs,
    get: async (path, options) => {
      const answer = await inTurn(() => connection.get(path, options));
      if (answer.serverClockMs !== null) newestMs = Math.max(newestMs ?? 0, answer.serverClockMs);
      return answer;
    },
  };
}

/** The same connection for what an answer is complete without: nobody waits for many tries of it. */
export function optionally<T extends Pick<Connection, "get">>(connection: T): T {
  return { ...connection, get: (path, options) => connection.get(path, { ...options, isOptional: true }) };
}
