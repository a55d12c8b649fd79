import type { PodObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import { type PoliteConnection, politely } from "../api/request-places.ts";
import type { Connection } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { sleep, type Timers } from "../connection/timers.ts";
import { listNodes, type NodeList, readNode } from "../list/list-nodes.ts";
import { type ListedObservation, listedPod, observeParts } from "../list/list-observe.ts";
import { type ListScope, NOT_OVER } from "../list/list-pages.ts";
import { hasYoungRun } from "../list/list-sieve.ts";
import { nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { containerStatusesOf, toPodSnapshot } from "../objects/pod.ts";
import { at } from "../objects/untrusted.ts";
import { collectionPath } from "../objects/workload-kinds.ts";
import { type WatchHandler, watchListed } from "./object-watch.ts";
import { poll } from "./watch-objects.ts";
import { whileAllowed } from "./watch-retry.ts";

export interface ListHandler extends Pick<WatchHandler, "trouble"> {
  /** Gets all pods that may have a container that is down, part by part. At the end of the parts they replace all earlier pods. */
  listed(parts: AsyncIterable<ListedObservation>): Promise<void>;
  /** The pod may have a container that is down. */
  changed(pod: PodObservation): void;
  /** The pod has no container that is down: it is ready, completed or deleted. */
  up(pod: Pick<PodSnapshot, "namespace" | "name">): void;
}

/** For a user who may list but not watch: the pause from the end of one list to the beginning of the next. */
const PAUSE_MS = 5_000;
/** Before the next list, the program waits for this many times the duration of the last: it lists for a tenth of the time at most. */
const REST_FACTOR = 9;

/**
 * Follows the pods of a scope: lists them cheaply, watches from there, and lists again only after the server has forgotten
 * changes. Keeps no pods.
 */
export class ListWatch {
  readonly #connection: PoliteConnection;
  readonly #scope: ListScope;
  readonly #handler: ListHandler;
  readonly #trouble: ListHandler["trouble"] = (...failure) => this.#handler.trouble(...failure);
  readonly #timers: Timers;
  readonly #nodes: (name: string | null) => Promise<NodeList>;
  /** The resourceVersion of the last list. */
  #version: string | null = null;
  #restMs = 0;

  constructor(connection: Connection, scope: ListScope, handler: ListHandler, timers: Timers) {
    this.#connection = politely(connection);
    this.#scope = scope;
    this.#handler = handler;
    this.#timers = timers;
    this.#nodes = watchedNodes(this.#connection, timers);
  }

  /** Lists once. A RequestFailure if the list fails; the reason of `signal` as soon as that is aborted. */
  async list(signal: AbortSignal): Promise<void> {
    const beganAtMs = this.#timers.nowMs();
    await this.#handler.listed(this.#parts(signal));
    this.#restMs = REST_FACTOR * (this.#timers.nowMs() - beganAtMs);
  }

  /** Follows the changes after the list until `signal` is aborted. Throws only after a bug. */
  async run(signal: AbortSignal): Promise<void> {
    const poll = (turn: AbortSignal) => this.#poll(turn);
    const watch = () => (this.#version === null ? poll(signal) : this.#watch(this.#version, signal));
    await whileAllowed({ timers: this.#timers, signal }, watch, poll);
  }

  #watch(knownVersion: string, signal: AbortSignal): Promise<void> {
    const { namespace, labelSelector } = this.#scope;
    const source = {
      path: collectionPath("Pod", namespace),
      fieldSelector: NOT_OVER,
      labelSelector,
      knownVersion,
      list: () => this.#listAgain(signal),
    };
    return watchListed({ connection: this.#connection, timers: this.#timers, signal }, source, {
      changed: (raw) => this.#changed(raw),
      deleted: (raw) => this.#up(raw),
      trouble: this.#trouble,
    });
  }

  /** A pod whose containers are all ready matters only if it may crash-loop, as in a list. */
  async #changed(raw: unknown): Promise<void> {
    const statuses = containerStatusesOf(at(raw, "status"));
    if (statuses.every(({ ready }) => ready) && !hasYoungRun(statuses, this.#timers.nowMs())) return this.#up(raw);
    const pod = toPodSnapshot(raw);
    this.#handler.changed(listedPod(pod, raw, await this.#nodes(pod.nodeName)));
  }

  #up(raw: unknown): void {
    this.#handler.up({ namespace: namespaceOf(raw), name: nameOf(raw) });
  }

  async #listAgain(signal: AbortSignal): Promise<string> {
    await sleep(this.#timers, this.#restMs, signal);
    await this.list(signal);
    if (this.#version === null) throw new RequestFailure("bad-answer", { message: "a list without a resourceVersion" });
    return this.#version;
  }

  async *#parts(signal: AbortSignal): AsyncGenerator<ListedObservation> {
    signal.throwIfAborted();
    const nodes = () => this.#nodes(null);
    for await (const part of observeParts(this.#connection, this.#scope, nodes, this.#timers.nowMs())) {
      signal.throwIfAborted();
      this.#version = part.version;
      yield part;
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const pauseMs = (): number => Math.max(PAUSE_MS, this.#restMs);
    await sleep(this.#timers, pauseMs(), signal);
    const ask = () => this.list(signal);
    await poll({ timers: this.#timers, signal }, { ask, take: () => {}, pauseMs, trouble: this.#trouble });
  }
}

/** The age at which the known nodes are read again for the next pod: kubelets are upgraded, and nodes become unready. */
const REFRESH_MS = 180_000;
/** The age instead of REFRESH_MS after a failed request. */
const RETRY_MS = 30_000;

/**
 * Makes a function that gives the known nodes of a cluster during a watch. It reads all nodes at first, and the node `name` if
 * that is new. A failed request is no error.
 */
function watchedNodes(connection: PoliteConnection, timers: Timers): (name: string | null) => Promise<NodeList> {
  let known: NodeList = { nodes: new Map(), why: null };
  let refreshAtMs = Number.NEGATIVE_INFINITY;
  /** The new nodes that the program has asked for, with or without success. */
  const asked = new Set<string>();
  const refresh = async (): Promise<void> => {
    const fresh = await listNodes(connection);
    // After a failure the nodes of the last success still count.
    if (fresh.why === null || known.nodes.size === 0) known = fresh;
    asked.clear();
    refreshAtMs = timers.nowMs() + (fresh.why === null ? REFRESH_MS : RETRY_MS);
  };
  return async (name) => {
    if (timers.nowMs() >= refreshAtMs) await refresh();
    const { nodes, why } = known;
    if (name === null || nodes.has(name) || why !== null || asked.has(name)) return known;
    asked.add(name);
    const node = await readNode(connection, name);
    if (node !== null) known = { nodes: new Map([...nodes, [name, node]]), why };
    return known;
  };
}
