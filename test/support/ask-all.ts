import type { Connection } from "../../src/cluster/connection/connection.ts";

export function podPaths(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `/api/v1/namespaces/team-${index}/pods`);
}

export function askAll(connection: Connection, paths: readonly string[]): Promise<unknown[]> {
  return Promise.all(paths.map(async (path) => (await connection.get(path)).body));
}
