import { conditionOf } from "../../explain/observed/lookups.ts";
import type { NodeSnapshot, PodObservation } from "../../explain/observed/observation.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import type { PodRow } from "../objects/pod-table.ts";
import { kubeadmConfig } from "../pods/kubeadm-config.ts";
import { type FetchedKubeletConfig, missing, readKubeletConfig } from "../pods/observe-node.ts";
import type { ListedObservation } from "./list-observe.ts";

/** Limits the requests, because the API server must ask each kubelet for the kubelet's configuration. */
const MOST_KUBELETS = 8;

const MOST_HELD_PODS = 500;

export class NodeConfigs {
  readonly #connection: Connection;
  readonly #asked = new Map<string, Promise<FetchedKubeletConfig>>();
  readonly #nodesOfPods = new Set<string>();

  constructor(connection: Connection) {
    this.#connection = bestEffort(connection);
  }

  requestAhead(rows: readonly Pick<PodRow, "nodeName">[]): void {
    const names = new Set([...this.#asked.keys(), ...rows.flatMap(({ nodeName }) => nodeName ?? [])]);
    if (names.size === 0 || names.size > MOST_KUBELETS) return;
    for (const name of names) this.#of(name).catch(() => {});
    kubeadmConfig(this.#connection).catch(() => {});
  }

  /**
   * Adds no configurations once the pods are on more than `MOST_KUBELETS` ready nodes, so that the predictions for all
   * later pods have the same basis.
   */
  async addedTo(pods: readonly PodObservation[]): Promise<readonly PodObservation[]> {
    for (const pod of pods) if (isOnReadyNode(pod)) this.#nodesOfPods.add(pod.node.name);
    if (this.#nodesOfPods.size > MOST_KUBELETS) return pods;
    return Promise.all(
      pods.map(async (pod) => (isOnReadyNode(pod) ? withConfig(pod, await this.#of(pod.node.name)) : pod)),
    );
  }

  /**
   * Can hold pods back until the end of the list shows on how many nodes they are. Pods stay without configurations if
   * there are more than `MOST_HELD_PODS`, or if the list breaks off.
   */
  async *addedToParts(parts: AsyncIterable<ListedObservation>): AsyncGenerator<ListedObservation> {
    let held: PodObservation[] = [];
    let last: ListedObservation | null = null;
    const lastWith = (pods: readonly PodObservation[]): ListedObservation[] =>
      last === null || pods.length === 0 ? [] : [{ ...last, pods, all: [], up: 0, startsOver: false }];
    let isLong = false;
    try {
      for await (const part of parts) {
        if (part.startsOver) [held, isLong] = [[], false];
        last = part;
        held.push(...part.pods);
        isLong ||= held.length > MOST_HELD_PODS;
        yield { ...part, pods: isLong ? held : [] };
        if (isLong) held = [];
      }
    } catch (error) {
      yield* lastWith(held);
      throw error;
    }
    yield* lastWith(await this.addedTo(held));
  }

  #of(nodeName: string): Promise<FetchedKubeletConfig> {
    const asked = this.#asked.get(nodeName) ?? readKubeletConfig(this.#connection, nodeName);
    this.#asked.set(nodeName, asked);
    return asked;
  }
}

function isOnReadyNode(pod: PodObservation): pod is PodObservation & { readonly node: NodeSnapshot } {
  return pod.node !== null && conditionOf(pod.node, "Ready")?.status === "True";
}

function withConfig(pod: PodObservation, { kubeletConfig, why }: FetchedKubeletConfig): PodObservation {
  const others = pod.missing.filter(({ what }) => what !== "node-config");
  return { ...pod, kubeletConfig, missing: [...others, ...missing("node-config", why)] };
}
