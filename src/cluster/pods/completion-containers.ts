import { targetsIn } from "../api/target-words.ts";
import type { Connection } from "../connection/connection.ts";
import { at, objectsOf, textOf } from "../objects/untrusted.ts";
import { collectionPath, inPath } from "../objects/workload-kinds.ts";

/** Where kinds have the spec of their pods. */
const POD_SPECS: readonly (readonly string[])[] = [
  ["spec"],
  ["spec", "template", "spec"],
  ["spec", "jobTemplate", "spec", "template", "spec"],
];

const LISTS = ["containers", "initContainers", "ephemeralContainers"] as const;

/**
 * The containers of the pod or workload that is named first, app containers before the others. Throws what the request
 * fails with, and usage errors for words that name nothing.
 */
export async function containerNames(connection: Connection, words: readonly string[]): Promise<readonly string[]> {
  const [target] = targetsIn(words, { isSelecting: false, isNamespace: () => false }).targets;
  if (target === undefined) return [];
  const path = `${collectionPath(target.kind, connection.namespace)}/${inPath(target.name)}`;
  return namesIn((await connection.get(path)).body);
}

function namesIn(raw: unknown): readonly string[] {
  const specs = POD_SPECS.map((path) => at(raw, ...path));
  const containers = specs.flatMap((spec) => LISTS.flatMap((list) => objectsOf(at(spec, list))));
  return containers.flatMap((container) => textOf(at(container, "name")) ?? []);
}
