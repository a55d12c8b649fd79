import type { PodObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import { type PacedAsk, paced } from "../api/list-pace.ts";
import type { Connection } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { sleep, type Timers } from "../connection/timers.ts";
import { listNodes, type NodeList, readNode } from "../list/list-nodes.ts";
import { type ListedObservation, listedPod, observeParts } from "../list/list-observe.ts";
import { hasYoungRun, type ListScope, NOT_OVER, podsPath } from "../list/list-pages.ts";
import { nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { containerStatusesOf, toPodSnapshot } from "../objects/pod.ts";
import { at } from "../objects/untrusted.ts";
import { watchListed } from "./watch-objects.ts";
import { isForbidden, isPassing, RetryPause, whileAllowed } from "./watch-retry.ts";
import type { ChangeHandler } from "./watch-thread.ts";

/** Is told what happens to the pods of a scope, and how the connection fares. */
export interface ListHandler {
  /** All pods that may have a container that is down, part by part: what was known before is void once the parts have ended. */
  listed(parts: AsyncIterable<ListedObservation>): Promise<void>;
  /** This pod may have a container that is down. */
  changed(pod: PodObservation): void;
  /** Nothing of this pod is down any more: all of it is ready, or over, or deleted. */
  up(pod: Pick<PodSnapshot, "namespace" | "name">): void;
  /** Why nothing is heard at present, and by the local clock since when; null as soon as something is again. */
  trouble(failure: Error | null, sinceLocalMs: number): void;
}

/** Who may not watch lists again: from the end of one list to the beginning of the next. */
const PAUSE_MS = 5_000;
/** A list that takes long is of a large cluster: that one is asked a tenth of the time at most. */
const REST_FACTOR = 9;

/**
 * Follows the pods of a scope: lists them cheaply, watches from there, and lists anew only when the server has forgotten what
 * came in between. Nothing of a pod is kept.
 */
export class ListWatch {
  readonly #connection: Connection;
  readonly #scope: ListScope;
  readonly #handler: ListHandler;
  readonly #timers: Timers;
  readonly #paced: PacedAsk;
  readonly #nodes: WatchedNodes;
  /** Of the last list. */
  #version: string | null = null;
  #restMs = 0;

  constructor(connection: Connection, scope: ListScope, handler: ListHandler, timers: Timers) {
    this.#connection = connection;
    this.#scope = scope;
    this.#handler = handler;
    this.#timers = timers;
    this.#paced = paced(connection);
    this.#nodes = new WatchedNodes(this.#paced, timers);
  }

  /** The first list. A RequestFailure without it; whatever `signal` was aborted for, as soon as it is. */
  begin(signal: AbortSignal): Promise<void> {
    return this.#list(signal);
  }

  /** All that happens afterwards, until `signal` ends it. What it throws is a bug. */
  async run(signal: AbortSignal): Promise<void> {
    const poll = (turn: AbortSignal) => this.#poll(turn);
    const watch = () => (this.#version === null ? poll(signal) : this.#watch(this.#version, signal));
    await whileAllowed(watch, poll, this.#timers, signal);
  }

  #watch(knownVersion: string, signal: AbortSignal): Promise<void> {
    const { namespace, labelSelector } = this.#scope;
    const list = (): Promise<string> => this.#listAnew(signal);
    const source = { path: podsPath(namespace), fieldSelector: NOT_OVER, labelSelector, knownVersion, list };
    const handler: ChangeHandler = {
      changed: (raw) => this.#changed(raw),
      deleted: (raw) => this.#up(raw),
      trouble: (failure, sinceLocalMs) => this.#handler.trouble(failure, sinceLocalMs),
    };
    return watchListed(this.#connection, source, handler, this.#timers, signal);
  }

  /** As in a list, a pod of which everything is ready is looked at only if it may loop. */
  async #changed(raw: unknown): Promise<void> {
    const statuses = containerStatusesOf(at(raw, "status"));
    if (statuses.every(({ ready }) => ready) && !hasYoungRun(statuses, this.#timers.nowMs())) return this.#up(raw);
    const pod = toPodSnapshot(raw);
    this.#handler.changed(listedPod(pod, raw, await this.#nodes.knowing(pod.nodeName)));
  }

  #up(raw: unknown): void {
    this.#handler.up({ namespace: namespaceOf(raw), name: nameOf(raw) });
  }

  async #listAnew(signal: AbortSignal): Promise<string> {
    await sleep(this.#timers, this.#restMs, signal);
    await this.#list(signal);
    if (this.#version === null) throw new RequestFailure("bad-answer", { message: "a list without a resourceVersion" });
    return this.#version;
  }

  async #list(signal: AbortSignal): Promise<void> {
    const beganAtMs = this.#timers.nowMs();
    await this.#handler.listed(this.#parts(signal));
    this.#restMs = REST_FACTOR * (this.#timers.nowMs() - beganAtMs);
  }

  async *#parts(signal: AbortSignal): AsyncGenerator<ListedObservation> {
    signal.throwIfAborted();
    const nodes = () => this.#nodes.knowing(null);
    for await (const part of observeParts(this.#paced, this.#scope, nodes, this.#timers.nowMs())) {
      signal.throwIfAborted();
      this.#version = part.version;
      yield part;
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    let retry = new RetryPause();
    let pauseMs = Math.max(PAUSE_MS, this.#restMs);
    let heardAtMs = this.#timers.nowMs();
    while (!signal.aborted) {
      await sleep(this.#timers, pauseMs, signal);
      if (signal.aborted) return;
      try {
        await this.#list(signal);
        heardAtMs = this.#timers.nowMs();
        this.#handler.trouble(null, heardAtMs);
        retry = new RetryPause();
        pauseMs = Math.max(PAUSE_MS, this.#restMs);
      } catch (error) {
        if (signal.aborted) return;
        if (!(isPassing(error) || isForbidden(error))) throw error;
        this.#handler.trouble(error, heardAtMs);
        pauseMs = PAUSE_MS + retry.nextMs(0, this.#timers.random());
      }
    }
  }
}

/** Kubelets are upgraded, and nodes become unready: what is known of them is read again after this time, if there is a need. */
const REFRESH_MS = 180_000;
/** The same while the nodes could not be read. */
const RETRY_MS = 30_000;

/** The nodes of a cluster for as long as somebody watches it: all of them at first, and each new one once. */
class WatchedNodes {
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
