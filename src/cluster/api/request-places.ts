import type { Connection } from "../connection/connection.ts";

/** The limit of this program's requests in flight to an API server. */
export const MOST_IN_FLIGHT = 10;

/** Runs at most `count` tasks at a time; the others wait in order. */
export function places(count: number): <Result>(visit: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (visit) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await visit();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}

interface PoliteConnection extends Connection {
  /** The newest Date header of all answers; null without any. */
  newestClockMs(): number | null;
}

/** Limits the requests in flight to {@link MOST_IN_FLIGHT}, and remembers the API server's clock. */
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

/** Marks all GETs of a connection as optional, so that they are hardly retried. */
export function optionally<T extends Pick<Connection, "get">>(connection: T): T {
  return { ...connection, get: (path, options) => connection.get(path, { ...options, isOptional: true }) };
}
