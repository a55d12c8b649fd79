import { conditionOf } from "../../explain/observed/lookups.ts";
import type { NodeSnapshot, PodObservation } from "../../explain/observed/observation.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import type { PodRow } from "../objects/pod-table.ts";
import { kubeadmConfig } from "../pods/kubeadm-config.ts";
import { type FetchedKubeletConfig, missing, readKubeletConfig } from "../pods/observe-node.ts";
import type { ListedObservation } from "./list-observe.ts";

/** Each kubelet must answer the request for its configuration. */
const MOST_KUBELETS = 8;

/** The program holds back up to this number of pods until it knows whether they are on few nodes. */
const MOST_HELD_PODS = 500;

export class NodeConfigs {
  readonly #connection: Connection;
  readonly #asked = new Map<string, Promise<FetchedKubeletConfig>>();
  readonly #nodesOfPods = new Set<string>();

  constructor(connection: Connection) {
    this.#connection = bestEffort(connection);
  }

  /**
   * Requests the configurations of these pods' kubelets, if they are few, while the program still reads the pods. Also
   * requests kubeadm's configuration, which the program uses if the kubelet's own is forbidden.
   */
  requestAhead(rows: readonly Pick<PodRow, "nodeName">[]): void {
    const names = new Set([...this.#asked.keys(), ...rows.flatMap(({ nodeName }) => nodeName ?? [])]);
    if (names.size === 0 || names.size > MOST_KUBELETS) return;
    for (const name of names) this.#of(name).catch(() => {});
    kubeadmConfig(this.#connection).catch(() => {});
  }

  /**
   * Adds their kubelets' configurations to pods on ready nodes. Adds none after pods on more than `MOST_KUBELETS`
   * nodes, so that all predictions in the rest of a list have the same basis.
   */
  async addedTo(pods: readonly PodObservation[]): Promise<readonly PodObservation[]> {
    for (const pod of pods) if (isOnReadyNode(pod)) this.#nodesOfPods.add(pod.node.name);
    if (this.#nodesOfPods.size > MOST_KUBELETS) return pods;
    return Promise.all(
      pods.map(async (pod) => (isOnReadyNode(pod) ? withConfig(pod, await this.#of(pod.node.name)) : pod)),
    );
  }

  /**
   * Holds back the pods of all parts, and yields them with their configurations in an extra last part. If they are more
   * than `MOST_HELD_PODS`, or if the list breaks off, yields them without configurations.
   */
  async *addedToParts(parts: AsyncIterable<ListedObservation>): AsyncGenerator<ListedObservation> {
    let held: PodObservation[] = [];
    let last: ListedObservation | null = null;
    const lastWith = (pods: readonly PodObservation[]): ListedObservation[] =>
      last === null || pods.length === 0 ? [] : [{ ...last, pods, all: [], up: 0, startsOver: false }];
    let isLong = false;
    try {
      for await (const part of parts) {
        if (part.startsOver) held = [];
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
