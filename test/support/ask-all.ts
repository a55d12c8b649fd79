import type { Connection } from "../../src/cluster/connection/connection.ts";

/** The paths of a list of this many namespaces. */
export function podPaths(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `/api/v1/namespaces/team-${index}/pods`);
}

/** Sends all requests at once, and returns the bodies of the answers. */
export function askAll(connection: Connection, paths: readonly string[]): Promise<unknown[]> {
  return Promise.all(paths.map(async (path) => (await connection.get(path)).body));
}
