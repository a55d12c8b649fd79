import { distance } from "fastest-levenshtein";
import type { Connection } from "../connection/connection.ts";
import { at, objectsOf, textOf } from "../objects/untrusted.ts";

/** The end of a generated name: "-5d8c9f6b7-x2x4q" for a Deployment's pod, "-x2x4q" or "-0" for other pods. */
const CONTROLLER_SUFFIX = /(-[bcdf-hj-np-tv-xz0-9]{6,10})?-([bcdf-hj-np-tv-xz2-9]{5}|\d{1,4})$/;

/**
 * Chooses up to three names that the user may have meant, the most likely first: names that differ from `name` in a few
 * letters, pods of a workload called `name`, or pods that may have replaced the pod `name`.
 */
export function nearestNames(name: string, names: readonly string[]): readonly string[] {
  return names
    .map((candidate) => ({ candidate, mistakes: mistakesIn(name, candidate) }))
    .filter(({ mistakes }) => mistakes <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.mistakes - b.mistakes || a.candidate.localeCompare(b.candidate, "en"))
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

function mistakesIn(name: string, candidate: string): number {
  if (candidate.startsWith(`${name}-`)) return 0;
  const workload = candidate.replace(CONTROLLER_SUFFIX, "");
  if (workload !== candidate && workload === name.replace(CONTROLLER_SUFFIX, "")) return 1;
  return distance(name, candidate);
}

/** Reads the names of the first 500 objects at a path, without the objects themselves; empty if the request fails. */
export async function namesAt(connection: Connection, path: string): Promise<readonly string[]> {
  try {
    const accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    const { body } = await connection.get(path, { query: { limit: "500" }, accept, isOptional: true });
    return objectsOf(at(body, "items")).flatMap((item) => textOf(at(item, "metadata", "name")) ?? []);
  } catch {
    return []; // The error without suggestions is enough.
  }
}
