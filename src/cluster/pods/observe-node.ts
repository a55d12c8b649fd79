import type { KubeletConfig, Missing, NodeSnapshot, PodObservation } from "../../explain/observed/observation.ts";
import { type Fetched, fetched } from "../api/fetched.ts";
import { eventsOf, listEvents } from "../api/list-events.ts";
import type { ApiAnswer, Connection } from "../connection/connection.ts";
import { toKubeletConfig, toNodeSnapshot } from "../objects/node.ts";
import { inPath } from "../objects/workload-kinds.ts";
import { kubeadmConfig } from "./kubeadm-config.ts";

/** Whether to request the kubelet's configuration, which few users may read (`get` on `nodes/proxy`). */
export type NodeConfig = "auto" | "never";

export type NodeObservation = Pick<PodObservation, "node" | "nodeEvents" | "kubeletConfig" | "missing" | "objects">;

export const NO_NODE: NodeObservation = { node: null, nodeEvents: [], kubeletConfig: null, missing: [] };

/** The observation of a node that the program has not requested. */
export const NOT_ASKED: NodeObservation = {
  ...NO_NODE,
  missing: (["node", "node-events", "node-config"] as const).map((what) => ({ what, why: "not-asked" })),
};

/** A short time limit, because the API server waits longer for a kubelet that does not answer. */
const NODE_CONFIG_TIMEOUT_MS = 3_000;

/**
 * Reads a node, its events and its kubelet's configuration. `missing` says what could not be read. If the configuration
 * is forbidden, reads kubeadm's configuration for all kubelets instead; `missing` names the forbidden one all the same.
 */
export async function observeNode(connection: Connection, name: string, ask: NodeConfig): Promise<NodeObservation> {
  const [node, events, config] = await Promise.all([
    readNode(connection, name),
    listEvents(connection, { kind: "Node", name, namespace: "default" }),
    ask === "never" ? CONFIG_NOT_ASKED : observeConfig(connection, name),
  ]);
  const snapshot = node.value?.node ?? null;
  // In an event's UID field, the kubelet writes the node's name, and controllers write the node's UID.
  const nodeEvents = eventsOf(events, snapshot?.uid ? [name, snapshot.uid] : null);
  const ownConfig = toKubeletConfig(config.value?.body);
  return {
    node: snapshot,
    nodeEvents: nodeEvents.events,
    kubeletConfig: ownConfig ?? config.instead,
    objects: [
      ...(node.value === null ? [] : [{ kind: "Node", raw: node.value.raw }]),
      ...nodeEvents.objects,
      ...(ownConfig === null ? [] : [{ kind: "KubeletConfiguration", raw: config.value?.body }]),
    ],
    missing: [
      ...missing("node", node.why),
      ...missing("node-events", events.why),
      ...missing("node-config", ownConfig === null ? (config.why ?? "unreachable") : null),
    ],
  };
}

/** A node, as the program reads it (`node`) and as the API server sent it (`raw`). */
interface ReadNode {
  readonly node: NodeSnapshot;
  readonly raw: unknown;
}

export function readNode(connection: Connection, name: string): Promise<Fetched<ReadNode>> {
  return fetched(async () => {
    const { body } = await connection.get(nodePath(name));
    return { node: toNodeSnapshot(body), raw: body };
  });
}

function nodePath(name: string): string {
  return `/api/v1/nodes/${inPath(name)}`;
}

export type FetchedKubeletConfig = Pick<PodObservation, "kubeletConfig"> & { readonly why: Missing["why"] | null };

/**
 * Reads the configuration of a node's kubelet. If that is forbidden, returns kubeadm's configuration instead, as {@link
 * observeNode} does. `why` is the reason why the program could not read the kubelet's own; null if it could.
 */
export async function readKubeletConfig(connection: Connection, name: string): Promise<FetchedKubeletConfig> {
  const config = await observeConfig(connection, name);
  const ownConfig = toKubeletConfig(config.value?.body);
  const why = ownConfig === null ? (config.why ?? "unreachable") : null;
  return { kubeletConfig: ownConfig ?? config.instead, why };
}

export function missing(what: Missing["what"], why: Missing["why"] | null): readonly Missing[] {
  return why === null ? [] : [{ what, why }];
}

/** The answer of the node's kubelet. `instead` is kubeadm's configuration if the kubelet's is forbidden, else null. */
type FetchedConfig = Fetched<ApiAnswer> & { readonly instead: KubeletConfig | null };

async function observeConfig(connection: Connection, node: string): Promise<FetchedConfig> {
  const path = `${nodePath(node)}/proxy/configz`;
  const own = await fetched(() => connection.get(path, { timeoutMs: NODE_CONFIG_TIMEOUT_MS }));
  return { ...own, instead: own.why === "forbidden" ? await kubeadmConfig(connection) : null };
}

const CONFIG_NOT_ASKED: FetchedConfig = { value: null, why: "not-asked", error: null, instead: null };
