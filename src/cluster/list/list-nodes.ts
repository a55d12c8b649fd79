import type { Missing, NodeSnapshot } from "../../explain/observed/observation.ts";
import { pageBodies } from "../api/collection-pages.ts";
import { fetched } from "../api/fetched.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import { at, objectsOf } from "../objects/json-access.ts";
import { toNodeSnapshot } from "../objects/node.ts";
import { cellsOf, TABLE_OR_OBJECTS } from "../objects/server-table.ts";
import { readNode } from "../pods/observe-node.ts";

export interface NodeList {
  readonly nodes: ReadonlyMap<string, NodeSnapshot>;
  /** A node that does not exist does not count as a failure. */
  readonly why: Missing["why"] | null;
}

const AS_TABLE = { query: { includeObject: "None" }, accept: TABLE_OR_OBJECTS } as const;

/** To read more nodes, the program requests a table, because a Node object is usually much larger than a table row. */
const MOST_WHOLE_NODES = 8;

/** The returned function reads all nodes if `names` is null. Its result can have more nodes than `names`. */
export function nodeReader(connection: Connection): (names: readonly string[] | null) => Promise<NodeList> {
  const on = bestEffort(connection);
  const whole = new Map<string, ReturnType<typeof readNode>>();
  let table: Promise<NodeList> | null = null;
  const wholeNodes = async (names: readonly string[]): Promise<NodeList> => {
    for (const name of names) if (!whole.has(name)) whole.set(name, readNode(on, name));
    const found = await Promise.all(whole.values());
    const nodes = found.flatMap(({ value }) => value?.node ?? []);
    const missing = found.find(({ why }) => why !== null && why !== "not-found");
    return { nodes: new Map(nodes.map((node) => [node.name, node])), why: missing?.why ?? null };
  };
  return async (names) => {
    if (table === null && names !== null && new Set([...whole.keys(), ...names]).size <= MOST_WHOLE_NODES) {
      const found = await wholeNodes(names);
      // A user can have the right to list nodes, but not to get a node.
      if (found.why !== "forbidden") return found;
    }
    table ??= listNodes(on);
    const { nodes, why } = await table;
    const lacking = why === null ? (names ?? []).filter((name) => !nodes.has(name)) : [];
    if (lacking.length === 0) return { nodes, why };
    const found = await wholeNodes(lacking.slice(0, MOST_WHOLE_NODES));
    return { nodes: new Map([...found.nodes, ...nodes]), why: found.why };
  };
}

async function listNodes(connection: Connection): Promise<NodeList> {
  const nodes = new Map<string, NodeSnapshot>();
  const { why } = await fetched(async () => {
    for await (const body of pageBodies(connection, "/api/v1/nodes", AS_TABLE))
      for (const node of nodesOf(body)) nodes.set(node.name, node);
  });
  return { nodes, why };
}

function nodesOf(body: unknown): NodeSnapshot[] {
  if (at(body, "kind") !== "Table") return objectsOf(at(body, "items")).map(toNodeSnapshot);
  const rows = cellsOf(body, ["Name", "Status", "Version"]) ?? [];
  return rows.map(([name = "", status = "", version = ""]) => nodeOf(name, status, version));
}

/**
 * `printNode` (v1.37.1, pkg/printers/internalversion/printers.go) makes `status`, e.g. "NotReady,SchedulingDisabled".
 * "NotReady" can mean that the condition Ready is False or Unknown.
 */
function nodeOf(name: string, status: string, version: string): NodeSnapshot {
  const [word] = status.split(",");
  const ready = word === "Ready" ? "True" : "Unknown";
  const condition = { type: "Ready", status: ready, reason: null, message: null, lastTransitionAtMs: null } as const;
  const isKnown = word === "Ready" || word === "NotReady";
  return {
    name,
    uid: null,
    kubeletVersion: version || null,
    ...(status.includes(",SchedulingDisabled") && { isUnschedulable: true }),
    conditions: isKnown ? [condition] : [],
  };
}
