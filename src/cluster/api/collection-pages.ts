import type { Connection, GetOptions } from "../connection/connection.ts";
import { isGone } from "../connection/request-failure.ts";
import { at, type JsonObject, objectsOf, textOf } from "../objects/json-access.ts";

export async function* pagesOf(
  connection: Connection,
  path: string,
  query: Readonly<Record<string, string>> = {},
  mostPages = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly JsonObject[]> {
  for await (const body of pageBodies(connection, path, { query }, mostPages)) yield objectsOf(at(body, "items"));
}

export async function* pageBodies(
  connection: Connection,
  path: string,
  options: GetOptions,
  mostPages = Number.POSITIVE_INFINITY,
): AsyncGenerator<unknown> {
  let token: string | null = null;
  for (let page = 0; page < mostPages && (page === 0 || token !== null); page++) {
    const body: unknown = await pageAt(connection, path, options, token);
    yield body;
    token = textOf(at(body, "metadata", "continue"));
  }
}

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
