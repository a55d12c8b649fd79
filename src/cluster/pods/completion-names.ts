import { pageBodies } from "../api/collection-pages.ts";
import { targetsIn } from "../api/target-words.ts";
import type { Connection } from "../connection/connection.ts";
import { mayBeDown, type PodRow, podRowsOf } from "../objects/pod-table.ts";
import { cellsOf, TABLE } from "../objects/server-table.ts";
import { at, objectsOf, textOf } from "../objects/untrusted.ts";
import { collectionPath, inPath, type TargetKind } from "../objects/workload-kinds.ts";

/** An object that could be named, from the server's own table. */
export interface TableName {
  readonly name: string;
  /** Of a pod, how it is: "CrashLoopBackOff, 0/1 ready, restarts 5 (2m ago)". */
  readonly status: string | null;
  /** Whether a container of it may be down. */
  readonly isInTrouble: boolean;
}

/** Nobody chooses among more than this many at a prompt. */
const MOST_PAGES = 10;

/** The names of pods or workloads in the connection's namespace, or of all namespaces; page by page. A RequestFailure without a page. */
export async function* tableNames(
  connection: Connection,
  kind: TargetKind | "Namespace",
): AsyncGenerator<readonly TableName[]> {
  const path = kind === "Namespace" ? "/api/v1/namespaces" : collectionPath(kind, connection.namespace);
  const options = { accept: TABLE, query: { includeObject: "None" } };
  for await (const body of pageBodies(connection, path, options, MOST_PAGES))
    yield kind === "Pod" ? podNames(body) : namesIn(body);
}

function podNames(body: unknown): readonly TableName[] {
  return (podRowsOf(body) ?? []).map((row) => ({
    name: row.name,
    status: `${row.status}, ${row.ready} ready, restarts ${row.restarts}`,
    isInTrouble: mayBeDown(row) && !isDone(row),
  }));
}

/** A Job's pod, most likely: there may be thousands, and the table does not tell the phase. */
function isDone({ status, restarts }: PodRow): boolean {
  return status === "Completed" && restarts === "0";
}

/** Every table has the name of its objects in a column of that name. */
function namesIn(body: unknown): readonly TableName[] {
  const names = (cellsOf(body, ["Name"]) ?? []).flat().filter((name) => name !== "");
  return names.map((name) => ({ name, status: null, isInTrouble: false }));
}

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
  return containersIn((await connection.get(path)).body);
}

function containersIn(raw: unknown): readonly string[] {
  const specs = POD_SPECS.map((path) => at(raw, ...path));
  const containers = specs.flatMap((spec) => LISTS.flatMap((list) => objectsOf(at(spec, list))));
  return containers.flatMap((container) => textOf(at(container, "name")) ?? []);
}
