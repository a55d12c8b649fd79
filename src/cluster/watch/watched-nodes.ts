import type { PacedAsk } from "../api/list-pace.ts";
import type { Timers } from "../connection/timers.ts";
import { listNodes, type NodeList, readNode } from "../list/list-nodes.ts";

/** Kubelets are upgraded, and nodes become unready: what is known of them is read again after this time, if there is a need. */
const REFRESH_MS = 180_000;
/** The same while the nodes could not be read. */
const RETRY_MS = 30_000;

/** The nodes of a cluster for as long as somebody watches it: all of them at first, and each new one once. */
export class WatchedNodes {
  readonly #paced: PacedAsk;
  readonly #timers: Timers;
  #known: NodeList = { nodes: new Map(), why: null };
  #refreshAtMs = Number.NEGATIVE_INFINITY;
  /** New ones that have been asked for, whatever came of it. */
  readonly #asked = new Set<string>();

  constructor(paced: PacedAsk, timers: Timers) {
    this.#paced = paced;
    this.#timers = timers;
  }

  /** All that is known of nodes; of this one, too, if it can be had. Never fails for lack of rights or of an answer. */
  async knowing(name: string | null): Promise<NodeList> {
    if (this.#timers.nowMs() >= this.#refreshAtMs) await this.#refresh();
    const { nodes, why } = this.#known;
    if (name === null || nodes.has(name) || why !== null || this.#asked.has(name)) return this.#known;
    this.#asked.add(name);
    const node = await readNode(this.#paced.askEach, name);
    if (node !== null) this.#known = { nodes: new Map([...nodes, [name, node]]), why };
    return this.#known;
  }

  /** What could not be read this time is still as true as it was. */
  async #refresh(): Promise<void> {
    const fresh = await listNodes(this.#paced.ask);
    const isKept = fresh.why !== null && this.#known.nodes.size > 0;
    if (!isKept) this.#known = fresh;
    this.#asked.clear();
    this.#refreshAtMs = this.#timers.nowMs() + (fresh.why === null ? REFRESH_MS : RETRY_MS);
  }
}
