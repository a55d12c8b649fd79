import type { Missing, PodObservation } from "../../explain/observed/observation.ts";
import { fetched } from "../api/fetched.ts";
import { eventsOf, listEvents } from "../api/list-events.ts";
import type { Connection } from "../connection/connection.ts";
import { toKubeletConfig, toNodeSnapshot } from "../objects/node.ts";
import { inPath } from "../objects/workload-kinds.ts";
import { kubeadmConfig } from "./kubeadm-config.ts";

/** Whether to request the kubelet's configuration, for which the user needs the right to `get` `nodes/proxy`. */
export type NodeConfig = "auto" | "never";

export type NodeObservation = Pick<PodObservation, "node" | "nodeEvents" | "kubeletConfig" | "missing" | "objects">;

export const NO_NODE: NodeObservation = { node: null, nodeEvents: [], kubeletConfig: null, missing: [] };

export const NODE_NOT_ASKED: NodeObservation = {
  ...NO_NODE,
  missing: (["node", "node-events", "node-config"] as const).map((what) => ({ what, why: "not-asked" })),
};

/** Limits the wait for a kubelet that does not answer the API server. */
const NODE_CONFIG_TIMEOUT_MS = 3_000;

export async function observeNode(connection: Connection, name: string, ask: NodeConfig): Promise<NodeObservation> {
  const [node, events, config] = await Promise.all([
    readNode(connection, name),
    listEvents(connection, { kind: "Node", name, namespace: "default" }),
    ask === "never" ? CONFIG_NOT_ASKED : readKubeletConfig(connection, name),
  ]);
  const snapshot = node.value?.node ?? null;
  // In events about its node, an older kubelet writes the node's name as `involvedObject.uid` (`NewMainKubelet`,
  // v1.34.4, pkg/kubelet/kubelet.go).
  const nodeEvents = eventsOf(events, snapshot?.uid ? [name, snapshot.uid] : null);
  return {
    node: snapshot,
    nodeEvents: nodeEvents.events,
    kubeletConfig: config.kubeletConfig,
    objects: [
      ...(node.value === null ? [] : [{ kind: "Node", raw: node.value.raw }]),
      ...nodeEvents.objects,
      ...(config.why === null ? [{ kind: "KubeletConfiguration", raw: config.raw }] : []),
    ],
    missing: [
      ...missing("node", node.why),
      ...missing("node-events", events.why),
      ...missing("node-config", config.why),
    ],
  };
}

export function readNode(connection: Connection, name: string) {
  return fetched(async () => {
    const { body } = await connection.get(nodePath(name));
    return { node: toNodeSnapshot(body), raw: body };
  });
}

function nodePath(name: string): string {
  return `/api/v1/nodes/${inPath(name)}`;
}

export interface FetchedKubeletConfig extends Pick<PodObservation, "kubeletConfig"> {
  /** Why the kubelet's own configuration is missing. Also set if `kubeletConfig` is kubeadm's for all kubelets. */
  readonly why: Missing["why"] | null;
  readonly raw?: unknown;
}

const CONFIG_NOT_ASKED: FetchedKubeletConfig = { kubeletConfig: null, why: "not-asked" };

export async function readKubeletConfig(connection: Connection, node: string): Promise<FetchedKubeletConfig> {
  const path = `${nodePath(node)}/proxy/configz`;
  const { value, why } = await fetched(() => connection.get(path, { timeoutMs: NODE_CONFIG_TIMEOUT_MS }));
  const kubeletConfig = toKubeletConfig(value?.body);
  if (kubeletConfig !== null) return { kubeletConfig, why: null, raw: value?.body };
  return { kubeletConfig: why === "forbidden" ? await kubeadmConfig(connection) : null, why: why ?? "unreachable" };
}

export function missing(what: Missing["what"], why: Missing["why"] | null): readonly Missing[] {
  return why === null ? [] : [{ what, why }];
}
