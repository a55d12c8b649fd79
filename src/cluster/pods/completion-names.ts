import { pageBodies } from "../api/collection-pages.ts";
import { targetsIn } from "../api/target-words.ts";
import type { Connection } from "../connection/connection.ts";
import { at, objectsOf, textOf } from "../objects/json-access.ts";
import { mayBeDown, podRowsOf } from "../objects/pod-table.ts";
import { cellsOf, TABLE } from "../objects/server-table.ts";
import { collectionPath, objectPath, type TargetKind } from "../objects/workload-kinds.ts";

export interface TableName {
  readonly name: string;
  readonly status: string | null;
  readonly mayBeDown: boolean;
}

/** Assumed: no user chooses among more than 5000 names (500 per page) at a shell's prompt. */
const MOST_PAGES = 10;

export async function* tableNames(
  connection: Connection,
  kind: TargetKind | "Namespace",
): AsyncGenerator<readonly TableName[]> {
  const path = kind === "Namespace" ? "/api/v1/namespaces" : collectionPath(kind, connection.namespace);
  const options = { accept: TABLE, query: { includeObject: "None" } };
  for await (const body of pageBodies(connection, path, options, MOST_PAGES))
    yield kind === "Pod" ? podNames(body, connection.namespace) : namesIn(body);
}

function podNames(body: unknown, namespace: string): readonly TableName[] {
  return (podRowsOf(body, namespace) ?? []).map((row) => ({
    name: row.name,
    status: `${row.status}, ${row.ready} ready, restarts ${row.restarts}`,
    // Assumed: a "Completed" pod without a restart is a Job's pod, of which there may be thousands.
    mayBeDown: mayBeDown(row) && !(row.status === "Completed" && row.restarts === "0"),
  }));
}

function namesIn(body: unknown): readonly TableName[] {
  const names = (cellsOf(body, ["Name"]) ?? []).flat().filter((name) => name !== "");
  return names.map((name) => ({ name, status: null, mayBeDown: false }));
}

const POD_SPECS = [["spec"], ["spec", "template", "spec"], ["spec", "jobTemplate", "spec", "template", "spec"]];

const LISTS = ["containers", "initContainers", "ephemeralContainers"] as const;

/** Reads only the first workload or pod that `words` names. */
export async function containerNames(connection: Connection, words: readonly string[]): Promise<readonly string[]> {
  const [target] = targetsIn(words, { mayLackName: false, isNamespace: () => false }).targets;
  if (target === undefined) return [];
  const path = objectPath(target.kind, connection.namespace, target.name);
  const { body } = await connection.get(path);
  const specs = POD_SPECS.map((steps) => at(body, ...steps));
  const containers = specs.flatMap((spec) => LISTS.flatMap((list) => objectsOf(at(spec, list))));
  return containers.flatMap((container) => textOf(at(container, "name")) ?? []);
}
