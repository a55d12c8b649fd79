import type { Connection } from "../connection/connection.ts";

/** The same connection for what an answer is complete without: nobody waits for many tries of it. */
export function optionally<T extends Pick<Connection, "get">>(connection: T): T {
  return { ...connection, get: (path, options) => connection.get(path, { ...options, isOptional: true }) };
}
