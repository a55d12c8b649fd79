import { conditionOf } from "../../explain/observed/lookups.ts";
import type { PodObservation } from "../../explain/observed/observation.ts";
import { oncePerKey } from "../api/found.ts";
import { optionally, politely } from "../api/request-places.ts";
import type { Connection } from "../connection/connection.ts";
import { type KubeletConfigFound, missing, readKubeletConfig } from "../pods/observe-node.ts";
import type { ListedObservation } from "./list-observe.ts";

/** The most nodes whose kubelets' configurations a list reads. Each is a request that the kubelet itself answers. */
const MOST_NODES = 8;

/**
 * Adds the kubelet's configuration to the pods of a list, as long as they are on few nodes. The pods of other nodes, and
 * of nodes that are not ready, keep the gap "not-asked".
 */
export async function* withNodeConfigs(
  connection: Connection,
  parts: AsyncIterable<ListedObservation>,
): AsyncGenerator<ListedObservation> {
  const polite = optionally(politely(connection));
  const configOnce = oncePerKey<KubeletConfigFound>();
  const asked = new Set<string>();
  for await (const part of parts) {
    const names = new Set(part.pods.flatMap((pod) => (isAskable(pod) ? [pod.node?.name ?? ""] : [])));
    if (new Set([...asked, ...names]).size <= MOST_NODES) for (const name of names) asked.add(name);
    const pods = part.pods.map(async (pod) => {
      const name = pod.node?.name ?? "";
      if (!isAskable(pod) || !asked.has(name)) return pod;
      return withConfig(pod, await configOnce(name, () => readKubeletConfig(polite, name)));
    });
    yield { ...part, pods: await Promise.all(pods) };
  }
}

function isAskable({ node }: PodObservation): boolean {
  return node !== null && conditionOf(node, "Ready")?.status === "True";
}

function withConfig(pod: PodObservation, { kubeletConfig, why }: KubeletConfigFound): PodObservation {
  const others = pod.missing.filter(({ what }) => what !== "node-config");
  return { ...pod, kubeletConfig, missing: [...others, ...missing("node-config", why)] };
}
