import type { Connection } from "../connection/connection.ts";
import { MOST_IN_FLIGHT, places } from "./request-places.ts";

/** A connection that asks no more at once than is polite, and remembers the server's clock. */
export interface PoliteConnection extends Connection {
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
