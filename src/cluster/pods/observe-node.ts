import type { KubeletConfig, Missing, PodObservation } from "../../explain/observed/observation.ts";
import { eventsOf, listEvents } from "../api/list-events.ts";
import type { ApiAnswer, Connection, GetOptions } from "../connection/connection.ts";
import { whyMissing } from "../connection/request-failure.ts";
import { toKubeletConfig, toNodeSnapshot } from "../objects/node.ts";
import { at, textOf } from "../objects/untrusted.ts";
import { inPath } from "../objects/workload-kinds.ts";

/** Whether the kubelet may be asked for its configuration; the right to (get on nodes/proxy) is rare. */
export type NodeConfig = "auto" | "never";

/** What the node knows about a pod's restarts. */
export type NodeObservation = Pick<PodObservation, "node" | "nodeEvents" | "kubeletConfig" | "missing" | "objects">;

/** The API server waits longer than this for a kubelet that does not answer, and the rest is known by then. */
const NODE_CONFIG_TIMEOUT_MS = 3_000;

/** The node, its events and its kubelet's configuration, all at once. Nothing of it must be had: `missing` names what is not. */
export async function observeNode(connection: Connection, name: string, ask: NodeConfig): Promise<NodeObservation> {
  const path = `/api/v1/nodes/${inPath(name)}`;
  const [node, events, config] = await Promise.all([
    tryGet(connection, path),
    listEvents(connection, { kind: "Node", name, namespace: "default" }),
    observeConfig(connection, path, ask),
  ]);
  const snapshot = node.answer === null ? null : toNodeSnapshot(node.answer.body);
  const nodeUid = node.answer === null ? null : textOf(at(node.answer.body, "metadata", "uid"));
  // The kubelet writes the node's name where the UID belongs, controllers the UID.
  const nodeEvents = eventsOf(events, nodeUid === null ? uidsIn(events.objects) : [name, nodeUid]);
  return {
    node: snapshot,
    nodeEvents: nodeEvents.events,
    kubeletConfig: config.kubeletConfig,
    objects: [
      ...(node.answer === null ? [] : [{ kind: "Node", raw: node.answer.body }]),
      ...nodeEvents.objects,
      ...(config.kubeletConfig === null ? [] : [{ kind: "KubeletConfiguration", raw: config.raw }]),
    ],
    missing: [
      ...missing("node", node.why),
      ...missing("node-events", events.why),
      ...missing("node-config", config.why),
    ],
  };
}

/** An entry for what is missing, none for what is not. */
export function missing(what: Missing["what"], why: Missing["why"] | null): readonly Missing[] {
  return why === null ? [] : [{ what, why }];
}

async function observeConfig(
  connection: Connection,
  nodePath: string,
  ask: NodeConfig,
): Promise<{ kubeletConfig: KubeletConfig | null; raw?: unknown; why: Missing["why"] | null }> {
  if (ask === "never") return { kubeletConfig: null, why: "not-asked" };
  const { answer, why } = await tryGet(connection, `${nodePath}/proxy/configz`, { timeoutMs: NODE_CONFIG_TIMEOUT_MS });
  const kubeletConfig = answer === null ? null : toKubeletConfig(answer.body);
  return { kubeletConfig, raw: answer?.body, why: kubeletConfig === null ? (why ?? "unreachable") : null };
}

type Attempt = { answer: ApiAnswer; why: null } | { answer: null; why: Missing["why"] };

async function tryGet(connection: Connection, path: string, options?: GetOptions): Promise<Attempt> {
  try {
    return { answer: await connection.get(path, options), why: null };
  } catch (error) {
    return { answer: null, why: whyMissing(error) };
  }
}

/** Without the node its UID is not known: then the name alone has to do. */
function uidsIn(objects: readonly unknown[]): readonly string[] {
  return objects.flatMap((object) => textOf(at(object, "involvedObject", "uid")) ?? []);
}
