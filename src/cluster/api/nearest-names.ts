import { distance } from "fastest-levenshtein";
import type { Connection } from "../connection/connection.ts";
import { at, objectsOf, textOf } from "../objects/json-access.ts";
import { withoutControllerSuffix } from "../objects/owner-reference.ts";

export function nearestNames(name: string, names: readonly string[]): readonly string[] {
  return names
    .map((candidate) => ({ candidate, mistakes: mistakesIn(name, candidate) }))
    .filter(({ mistakes }) => mistakes <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.mistakes - b.mistakes || a.candidate.localeCompare(b.candidate, "en"))
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

function mistakesIn(name: string, candidate: string): number {
  // `name` may be the name of the candidate's workload, or the name of an earlier pod of this workload.
  if (candidate.startsWith(`${name}-`)) return 0;
  const workload = withoutControllerSuffix(candidate);
  if (workload !== candidate && workload === withoutControllerSuffix(name)) return 1;
  return distance(name, candidate);
}

export async function namesAt(connection: Connection, path: string): Promise<readonly string[]> {
  try {
    const accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    const { body } = await connection.get(path, { query: { limit: "500" }, accept, isOptional: true });
    return objectsOf(at(body, "items")).flatMap((item) => textOf(at(item, "metadata", "name")) ?? []);
  } catch {
    return []; // Without a list of names, the error message suggests none.
  }
}
