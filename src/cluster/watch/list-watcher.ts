import type { NodeSnapshot, PodObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import type { Connection } from "../connection/connection.ts";
import { sleep, type Timers } from "../connection/timers.ts";
import { observeDetailedList, WHY_SLOW } from "../list/list-events.ts";
import { NodeConfigs } from "../list/list-node-configs.ts";
import { nodeReader } from "../list/list-nodes.ts";
import { type ListedObservation, listedPod, observeList } from "../list/list-observe.ts";
import { type ListScope, NOT_OVER } from "../list/list-pages.ts";
import { areUpAndSettled } from "../list/pod-filter.ts";
import { at } from "../objects/json-access.ts";
import { nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { containerStatusesOf, toPodSnapshot } from "../objects/pod.ts";
import { collectionPath } from "../objects/workload-kinds.ts";
import { requiredVersion, type WatchHandler, watchListed } from "./object-watch.ts";
import { poll } from "./watch-objects.ts";
import { REREAD_INCOMPLETE_MS, REREAD_MS, whileAllowed } from "./watch-retry.ts";

export interface ListHandler extends Pick<WatchHandler, "connectionChanged"> {
  /** Whether to read kubelets' configurations, and events of pods that are slow to start. */
  readonly isDetailed?: boolean;
  /** By the API server's clock, if that is known. */
  readonly nowMs: () => number;
  /** Receives a list in parts. After the last part, the pods of this list replace all earlier pods. */
  listed(parts: AsyncIterable<ListedObservation>): Promise<void>;
  changed(pod: PodObservation): void;
  /** Receives a pod that is deleted or over, or whose containers are ready and do not seem to crash-loop. */
  upOrGone(pod: Pick<PodSnapshot, "namespace" | "name">): void;
}

const LEAST_POLL_PAUSE_MS = 5_000;
/** Before the program lists again, it waits at least this many times as long as the last complete list took. */
const REST_FACTOR = 9;

export class ListWatcher {
  readonly #connection: Connection;
  readonly #scope: ListScope;
  readonly #handler: ListHandler;
  readonly #timers: Timers;
  readonly #nodes: ReturnType<typeof nodeReader>;
  #configs: NodeConfigs;
  #configsUntilMs: number;
  #version: string | null = null;
  #restMs = 0;

  constructor(connection: Connection, scope: ListScope, handler: ListHandler, timers: Timers) {
    this.#connection = connection;
    this.#scope = scope;
    this.#handler = handler;
    this.#timers = timers;
    this.#nodes = watchedNodes(this.#connection, timers);
    this.#configs = new NodeConfigs(connection);
    this.#configsUntilMs = timers.nowMs() + REREAD_MS;
  }

  async list(signal: AbortSignal): Promise<void> {
    const beganAtMs = this.#timers.nowMs();
    await this.#handler.listed(this.#parts(signal));
    this.#restMs = REST_FACTOR * (this.#timers.nowMs() - beganAtMs);
  }

  /** Does not throw if a request fails. */
  async run(signal: AbortSignal): Promise<void> {
    const watch = () => (this.#version === null ? this.#poll(signal) : this.#watch(this.#version, signal));
    await whileAllowed({ timers: this.#timers, signal }, watch, (turn) => this.#poll(turn));
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
      deleted: (raw) => this.#upOrGone(raw),
      connectionChanged: this.#handler.connectionChanged,
    });
  }

  async #changed(raw: unknown): Promise<void> {
    const statuses = containerStatusesOf(at(raw, "status"));
    if (areUpAndSettled(statuses, this.#handler.nowMs())) return this.#upOrGone(raw);
    const pod = toPodSnapshot(raw);
    const observed = listedPod(pod, raw, await this.#nodes(pod.nodeName === null ? [] : [pod.nodeName]));
    const isDetailed = this.#handler.isDetailed === true;
    const [changed = observed] = isDetailed ? await this.#freshConfigs().addedTo([observed]) : [observed];
    this.#handler.changed(changed);
  }

  /** Forgets the configurations after `REREAD_MS`, because a kubelet may restart with a new configuration. */
  #freshConfigs(): NodeConfigs {
    if (this.#timers.nowMs() < this.#configsUntilMs) return this.#configs;
    this.#configs = new NodeConfigs(this.#connection);
    this.#configsUntilMs = this.#timers.nowMs() + REREAD_MS;
    return this.#configs;
  }

  #upOrGone(raw: unknown): void {
    this.#handler.upOrGone({ namespace: namespaceOf(raw), name: nameOf(raw) });
  }

  async #listAgain(signal: AbortSignal): Promise<string> {
    await sleep(this.#timers, this.#restMs, signal);
    await this.list(signal);
    return requiredVersion(this.#version);
  }

  async *#parts(signal: AbortSignal): AsyncGenerator<ListedObservation> {
    signal.throwIfAborted();
    const request = { nodes: this.#nodes, localNowMs: this.#timers.nowMs() };
    const parts =
      this.#handler.isDetailed === true
        ? observeDetailedList(this.#connection, this.#scope, {
            ...request,
            need: WHY_SLOW,
            configs: this.#freshConfigs(),
          })
        : observeList(this.#connection, this.#scope, request);
    for await (const part of parts) {
      signal.throwIfAborted();
      this.#version = part.version;
      yield part;
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const pauseMs = (): number => Math.max(LEAST_POLL_PAUSE_MS, this.#restMs);
    await sleep(this.#timers, pauseMs(), signal);
    const request = () => this.list(signal);
    await poll(
      { timers: this.#timers, signal },
      { request, pauseMs, connectionChanged: this.#handler.connectionChanged },
    );
  }
}

/** If a request fails, also returns nodes of earlier reads. */
function watchedNodes(connection: Connection, timers: Timers): ReturnType<typeof nodeReader> {
  let read = nodeReader(connection);
  let refreshAtMs = timers.nowMs() + REREAD_MS;
  const known = new Map<string, NodeSnapshot>();
  return async (names) => {
    if (timers.nowMs() >= refreshAtMs) {
      read = nodeReader(connection);
      refreshAtMs = timers.nowMs() + REREAD_MS;
    }
    const found = await read(names);
    for (const name of names ?? found.nodes.keys()) {
      const node = found.nodes.get(name);
      if (node !== undefined) known.set(name, node);
    }
    if (found.why === null) return found;
    refreshAtMs = Math.min(refreshAtMs, timers.nowMs() + REREAD_INCOMPLETE_MS);
    return { nodes: known, why: found.why };
  };
}
