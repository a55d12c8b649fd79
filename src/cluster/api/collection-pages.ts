import type { Connection, GetOptions } from "../connection/connection.ts";
import { isGone } from "../connection/request-failure.ts";
import { at, type JsonObject, objectsOf, textOf } from "../objects/json-access.ts";

/** Pages have up to 500 objects. The limit ends a list that an API server continues forever; the rest is dropped. */
const MOST_PAGES = 200;

/** Reads up to `mostPages` pages and drops the rest. Throws a RequestFailure if a page cannot be read. */
export async function* pagesOf(
  connection: Connection,
  path: string,
  query: Readonly<Record<string, string>> = {},
  mostPages = MOST_PAGES,
): AsyncGenerator<readonly JsonObject[]> {
  for await (const body of pageBodies(connection, path, { query }, mostPages)) yield objectsOf(at(body, "items"));
}

/** Reads up to `mostPages` pages and drops the rest. Throws a RequestFailure if a page cannot be read. */
export async function* pageBodies(
  connection: Connection,
  path: string,
  options: GetOptions,
  mostPages = MOST_PAGES,
): AsyncGenerator<unknown> {
  let token: string | null = null;
  for (let page = 0; page < mostPages && (page === 0 || token !== null); page++) {
    const body: unknown = await pageAt(connection, path, options, token);
    yield body;
    token = textOf(at(body, "metadata", "continue"));
  }
}

/** If the list has expired (410) and the API server offers a new token, reads the page that this token names. */
async function pageAt(
  connection: Connection,
  path: string,
  options: GetOptions,
  token: string | null,
): Promise<unknown> {
  const query = { ...options.query, limit: "500", ...(token !== null && { continue: token }) };
  try {
    return (await connection.get(path, { ...options, query })).body;
  } catch (error) {
    if (token === null || !isGone(error) || error.continueToken === null) throw error;
    return (await connection.get(path, { ...options, query: { ...query, continue: error.continueToken } })).body;
  }
}
