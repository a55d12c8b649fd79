import type { Missing, NodeSnapshot } from "../../explain/observed/observation.ts";
import { pageBodies } from "../api/collection-pages.ts";
import { attempt } from "../api/found.ts";
import type { PoliteConnection } from "../api/request-places.ts";
import type { Connection } from "../connection/connection.ts";
import { toNodeSnapshot } from "../objects/node.ts";
import { cellsOf, TABLE_OR_OBJECTS } from "../objects/server-table.ts";
import { at, objectsOf } from "../objects/untrusted.ts";
import { inPath } from "../objects/workload-kinds.ts";

/** The nodes by name. `why` says why some of the cluster's nodes are missing; null if all are there. */
export interface NodeList {
  readonly nodes: ReadonlyMap<string, NodeSnapshot>;
  readonly why: Missing["why"] | null;
}

const AS_TABLE = { query: { includeObject: "None" }, accept: TABLE_OR_OBJECTS, isOptional: true } as const;

/** Reads versions and readiness from the API server's table of nodes, because Node objects are 100 times larger. */
export async function listNodes(connection: Connection): Promise<NodeList> {
  const nodes = new Map<string, NodeSnapshot>();
  const { why } = await attempt(async () => {
    for await (const body of pageBodies(connection, "/api/v1/nodes", AS_TABLE))
      for (const node of nodesOf(body)) nodes.set(node.name, node);
  });
  return { nodes, why };
}

/** Reads the version and the readiness of one node from the server's table; null if the request fails. */
export async function readNode({ getEach }: PoliteConnection, name: string): Promise<NodeSnapshot | null> {
  const { value } = await attempt(() => getEach(`/api/v1/nodes/${inPath(name)}`, AS_TABLE));
  return nodesOf(value?.body)[0] ?? null;
}

function nodesOf(body: unknown): NodeSnapshot[] {
  // A server that knows no tables answers with the nodes themselves.
  if (at(body, "kind") === "Node") return [toNodeSnapshot(body)];
  if (at(body, "kind") !== "Table") return objectsOf(at(body, "items")).map(toNodeSnapshot);
  const rows = cellsOf(body, ["Name", "Status", "Version"]) ?? [];
  return rows.map(([name = "", status = "", version = ""]) => nodeOf(name, status, version));
}

/** `status` is a STATUS cell, e.g. "NotReady" (`printNode`, v1.37.1, pkg/printers/internalversion/printers.go). */
function nodeOf(name: string, status: string, version: string): NodeSnapshot {
  const [word] = status.split(",");
  const ready = word === "Ready" ? "True" : "Unknown";
  const condition = { type: "Ready", status: ready, reason: null, message: null, lastTransitionAtMs: null } as const;
  const isKnown = word === "Ready" || word === "NotReady";
  return { name, uid: null, kubeletVersion: version || null, conditions: isKnown ? [condition] : [] };
}
