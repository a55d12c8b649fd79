import { conditionOf } from "../../explain/observed/lookups.ts";
import type { PodObservation } from "../../explain/observed/observation.ts";
import { optionally, politely } from "../api/request-places.ts";
import type { Connection } from "../connection/connection.ts";
import { type KubeletConfigFound, missing, readKubeletConfig } from "../pods/observe-node.ts";
import type { ListedObservation } from "./list-observe.ts";

/** The most nodes whose kubelets' configurations a list reads. Each is a request that the kubelet itself answers. */
const MOST_NODES = 8;

/** The most pods that wait for the end of the list, until it is known whether they are on few nodes. */
const MOST_HELD = 500;

/**
 * Adds the kubelet's configuration to the pods of a list if they are at most 500 on at most 8 nodes, in an extra last
 * part. Other pods, and those of nodes that are not ready, keep the gap "not-asked". So do all if the list breaks off.
 */
export async function* withNodeConfigs(
  connection: Connection,
  parts: AsyncIterable<ListedObservation>,
): AsyncGenerator<ListedObservation> {
  let held: PodObservation[] = [];
  let last: ListedObservation | null = null;
  const lastWith = (pods: readonly PodObservation[]): ListedObservation[] =>
    last === null || pods.length === 0 ? [] : [{ ...last, pods, names: [], up: 0, startsOver: false }];
  let isLong = false;
  try {
    for await (const part of parts) {
      if (part.startsOver) held = [];
      last = part;
      held.push(...part.pods);
      isLong ||= held.length > MOST_HELD;
      yield { ...part, pods: isLong ? held : [] };
      if (isLong) held = [];
    }
  } catch (error) {
    yield* lastWith(held);
    throw error;
  }
  yield* lastWith(await configured(connection, held));
}

async function configured(connection: Connection, pods: readonly PodObservation[]): Promise<readonly PodObservation[]> {
  const names = new Set(pods.flatMap((pod) => (isAskable(pod) ? [pod.node?.name ?? ""] : [])));
  if (names.size > MOST_NODES) return pods;
  const polite = optionally(politely(connection));
  const configs = new Map<string, KubeletConfigFound>();
  await Promise.all([...names].map(async (name) => configs.set(name, await readKubeletConfig(polite, name))));
  return pods.map((pod) => {
    const config = isAskable(pod) ? configs.get(pod.node?.name ?? "") : undefined;
    return config === undefined ? pod : withConfig(pod, config);
  });
}

function isAskable({ node }: PodObservation): boolean {
  return node !== null && conditionOf(node, "Ready")?.status === "True";
}

function withConfig(pod: PodObservation, { kubeletConfig, why }: KubeletConfigFound): PodObservation {
  const others = pod.missing.filter(({ what }) => what !== "node-config");
  return { ...pod, kubeletConfig, missing: [...others, ...missing("node-config", why)] };
}
