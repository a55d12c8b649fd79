import type { ApiAnswer, Connection } from "./connect.ts";
import { RequestFailure } from "./request-failure.ts";
import { MOST_IN_FLIGHT, places } from "./request-places.ts";
import { at, objectsOf, textOf } from "./untrusted.ts";

const PAGE_SIZE = "500";
/** A bound for a server that never stops continuing: a hundred thousand objects. */
const MOST_PAGES = 200;

/** A connection that asks no more at once than is polite, and remembers the server's clock. */
export interface PoliteConnection extends Connection {
  /** The newest Date header so far; null without any. */
  newestClockMs(): number | null;
}

/** The same connection (and its pool), with requests in excess of ten waiting for their turn. */
export function politely(connection: Connection): PoliteConnection {
  const enter = places(MOST_IN_FLIGHT);
  let newestMs: number | null = null;
  return {
    ...connection,
    newestClockMs: () => newestMs,
    get: async (path, options) => {
      const leave = await enter();
      try {
        const answer = await connection.get(path, options);
        if (answer.serverClockMs !== null) newestMs = Math.max(newestMs ?? 0, answer.serverClockMs);
        return answer;
      } finally {
        leave();
      }
    },
  };
}

/** The objects of a collection page by page. A RequestFailure where a page cannot be had. */
export async function* pagesOf(
  connection: Connection,
  path: string,
  query: Readonly<Record<string, string>> = {},
  mostPages = MOST_PAGES,
): AsyncGenerator<readonly Readonly<Record<string, unknown>>[]> {
  let continued: string | null = null;
  for (let page = 0; page < mostPages && (page === 0 || continued !== null); page++) {
    const { body }: ApiAnswer = await pageAt(connection, path, { ...query, limit: PAGE_SIZE }, continued);
    yield objectsOf(at(body, "items"));
    continued = textOf(at(body, "metadata", "continue"));
  }
}

/** A list that has become too old on the way (410) is gone on with at a later moment, where the server says how. */
async function pageAt(
  connection: Connection,
  path: string,
  query: Readonly<Record<string, string>>,
  position: string | null,
): Promise<ApiAnswer> {
  if (position === null) return connection.get(path, { query });
  try {
    return await connection.get(path, { query: { ...query, continue: position } });
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.status !== GONE || error.continueToken === null) throw error;
    return connection.get(path, { query: { ...query, continue: error.continueToken } });
  }
}

const GONE = 410;
