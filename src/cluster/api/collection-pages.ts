import type { Connection, GetOptions } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { at, objectsOf, textOf } from "../objects/untrusted.ts";

type Asked = Pick<Connection, "get">;

const PAGE_SIZE = "500";
/** A bound for a server that never stops continuing: a hundred thousand objects. */
const MOST_PAGES = 200;

/** The objects of a collection page by page. A RequestFailure where a page cannot be had. */
export async function* pagesOf(
  connection: Asked,
  path: string,
  query: Readonly<Record<string, string>> = {},
  mostPages = MOST_PAGES,
): AsyncGenerator<readonly Readonly<Record<string, unknown>>[]> {
  for await (const body of pageBodies(connection, path, { query }, mostPages)) yield objectsOf(at(body, "items"));
}

/** The same in whatever form `options` ask for: lists, or tables. */
export async function* pageBodies(
  connection: Asked,
  path: string,
  options: GetOptions,
  mostPages = MOST_PAGES,
): AsyncGenerator<unknown> {
  const asked = { ...options, query: { ...options.query, limit: PAGE_SIZE } };
  let continued: string | null = null;
  for (let page = 0; page < mostPages && (page === 0 || continued !== null); page++) {
    const body: unknown = await pageAt(connection, path, asked, continued);
    yield body;
    continued = textOf(at(body, "metadata", "continue"));
  }
}

/** A list that has become too old on the way (410) is gone on with at a later moment, where the server says how. */
async function pageAt(connection: Asked, path: string, options: GetOptions, position: string | null): Promise<unknown> {
  const from = (token: string): GetOptions => ({ ...options, query: { ...options.query, continue: token } });
  if (position === null) return (await connection.get(path, options)).body;
  try {
    return (await connection.get(path, from(position))).body;
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.status !== GONE || error.continueToken === null) throw error;
    return (await connection.get(path, from(error.continueToken))).body;
  }
}

const GONE = 410;
