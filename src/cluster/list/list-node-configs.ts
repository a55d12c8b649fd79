import { conditionOf } from "../../explain/observed/lookups.ts";
import type { NodeSnapshot, PodObservation } from "../../explain/observed/observation.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import type { PodRow } from "../objects/pod-table.ts";
import { kubeadmConfig } from "../pods/kubeadm-config.ts";
import { type FetchedKubeletConfig, missing, readKubeletConfig } from "../pods/observe-node.ts";
import type { ListedObservation } from "./list-observe.ts";

/** A list reads the configurations of up to this number of kubelets. Each answers the request itself. */
const MOST_NODES = 8;

/** The program holds back up to this number of pods until it knows whether they are on few nodes. */
const MOST_HELD = 500;

/** Reads the configurations of kubelets, each once. */
export class NodeConfigs {
  readonly #connection: Connection;
  readonly #asked = new Map<string, Promise<FetchedKubeletConfig>>();
  /** The ready nodes of the pods so far. Those of rows that turned out to be healthy do not count. */
  readonly #needed = new Set<string>();

  constructor(connection: Connection) {
    this.#connection = bestEffort(connection);
  }

  /**
   * Requests the configurations of these pods' kubelets, if they are few, before the program knows whether the list
   * needs them. Also requests kubeadm's configuration, which the program uses for kubelets whose own is forbidden.
   */
  expect(rows: readonly Pick<PodRow, "nodeName">[]): void {
    const names = new Set([...this.#asked.keys(), ...rows.flatMap(({ nodeName }) => nodeName ?? [])]);
    if (names.size === 0 || names.size > MOST_NODES) return;
    for (const name of names) this.#of(name).catch(() => {});
    kubeadmConfig(this.#connection).catch(() => {});
  }

  /**
   * Adds the configurations of their kubelets to pods on ready nodes. Once there have been pods on more than
   * `MOST_NODES`, adds none, so that all predictions in the rest of a list have the same basis.
   */
  async addedTo(pods: readonly PodObservation[]): Promise<readonly PodObservation[]> {
    for (const pod of pods) if (isAskable(pod)) this.#needed.add(pod.node.name);
    if (this.#needed.size > MOST_NODES) return pods;
    return Promise.all(
      pods.map(async (pod) => (isAskable(pod) ? withConfig(pod, await this.#of(pod.node.name)) : pod)),
    );
  }

  /**
   * Adds the configurations to the parts of a list, and yields the pods in an extra last part, if they are at most
   * `MOST_HELD`. Other pods keep the gap "not-asked". If the list breaks off, all pods keep it.
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
        isLong ||= held.length > MOST_HELD;
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

function isAskable(pod: PodObservation): pod is PodObservation & { readonly node: NodeSnapshot } {
  return pod.node !== null && conditionOf(pod.node, "Ready")?.status === "True";
}

function withConfig(pod: PodObservation, { kubeletConfig, why }: FetchedKubeletConfig): PodObservation {
  const others = pod.missing.filter(({ what }) => what !== "node-config");
  return { ...pod, kubeletConfig, missing: [...others, ...missing("node-config", why)] };
}
