import type {
  EventSnapshot,
  OwnersObservation,
  PodObservation,
  PodSnapshot,
} from "../../explain/observed/observation.ts";
import { eventsOf } from "../api/list-events.ts";
import type { Connection } from "../connection/connection.ts";
import type { Timers } from "../connection/timers.ts";
import { eventUidsOf } from "../objects/event.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import { at, isObject, textOf } from "../objects/untrusted.ts";
import { inPath } from "../objects/workload-kinds.ts";
import type { NodeConfig, NodeObservation } from "../pods/observe-node.ts";
import { NodeWatch } from "./watch-node.ts";
import { pollObject, watchObjects } from "./watch-objects.ts";
import { OwnerWatch } from "./watch-owners.ts";
import { nothingElse, whileAllowed } from "./watch-retry.ts";
import type { WatchHandler } from "./watch-thread.ts";

export type PodNews =
  | { readonly kind: "pod"; readonly pod: PodSnapshot }
  | { readonly kind: "events"; readonly events: readonly EventSnapshot[] }
  | { readonly kind: "node"; readonly node: NodeObservation }
  | { readonly kind: "owners"; readonly owners: OwnersObservation }
  /** Nothing more will come: the pod is no longer there, or another has its name. */
  | { readonly kind: "gone"; readonly how: "deleted" | "replaced" }
  /** Why nothing is heard of the pod at present, and by the local clock since when; null: something is again. */
  | { readonly kind: "trouble"; readonly failure: Error | null; readonly sinceLocalMs: number };

/** The pod as it was last seen, and how to ask about its node. */
interface PodWatchRequest {
  readonly first: PodObservation;
  readonly nodeConfig: NodeConfig;
  /** False: nobody wants to know what the pod's owners do. */
  readonly followsOwners?: boolean;
}

/** Follows one pod, its events, its node and its owners, through all that happens to the connection. */
export class PodWatch {
  readonly #connection: Connection;
  readonly #request: PodWatchRequest;
  readonly #onNews: (news: PodNews) => void;
  readonly #timers: Timers;
  readonly #ending = new AbortController();
  readonly #events = new WatchedEvents((events) => this.#onNews({ kind: "events", events }));
  /** Of the pod as it was last told: a new list often says what is known. */
  #version: unknown;
  readonly #owners: OwnerWatch;
  #node: NodeWatch | null = null;
  #nodeFailure: { readonly error: unknown } | null = null;

  constructor(connection: Connection, request: PodWatchRequest, onNews: (news: PodNews) => void, timers: Timers) {
    this.#connection = connection;
    this.#request = request;
    this.#onNews = onNews;
    this.#timers = timers;
    const onOwners = (owners: OwnersObservation): void => this.#onNews({ kind: "owners", owners });
    this.#owners = new OwnerWatch(connection, request.first.owners, onOwners, timers);
  }

  /** Until the pod is gone or `end` is called. What it throws is a bug. */
  async run(): Promise<void> {
    const { pod, node, nodeEvents, kubeletConfig, missing } = this.#request.first;
    if (pod.nodeName !== null) this.#followNode(pod.nodeName, { node, nodeEvents, kubeletConfig, missing });
    try {
      await Promise.all([this.#followPod(), this.#followEvents(), this.#followOwners()]);
      if (this.#nodeFailure !== null) throw this.#nodeFailure.error;
    } finally {
      this.end();
    }
  }

  end(): void {
    this.#ending.abort();
  }

  /** Something about the pod cannot be explained by what is known of its node. */
  askNode(): void {
    this.#node?.askSoon();
  }

  async #followPod(): Promise<void> {
    const { namespace, name } = this.#request.first.pod;
    const path = `/api/v1/namespaces/${inPath(namespace)}/pods`;
    const handler: WatchHandler = {
      listed: ([pod]) => (pod === undefined ? this.#gone("deleted") : this.#takePod(pod)),
      changed: (pod) => this.#takePod(pod),
      deleted: (pod) => this.#deleted(pod),
      trouble: (failure, sinceLocalMs) => this.#onNews({ kind: "trouble", failure, sinceLocalMs }),
    };
    const source = { path, fieldSelector: `metadata.name=${name}` };
    const { signal } = this.#ending;
    const watch = () => watchObjects(this.#connection, source, handler, this.#timers, signal);
    const poll = (turn: AbortSignal) =>
      pollObject(this.#connection, `${path}/${inPath(name)}`, handler, this.#timers, turn);
    await whileAllowed(watch, poll, this.#timers, signal);
  }

  #takePod(raw: unknown): void {
    const pod = toPodSnapshot(raw);
    if (pod.uid !== this.#request.first.pod.uid) {
      this.#gone("replaced");
      return;
    }
    const version = at(raw, "metadata", "resourceVersion");
    if (version === undefined || version !== this.#version) this.#onNews({ kind: "pod", pod });
    this.#version = version;
    if (isObject(raw)) this.#owners.take(raw);
    if (pod.nodeName !== null) this.#followNode(pod.nodeName, null);
    this.#events.areOf(eventUidsOf(raw));
  }

  /** The deletion tells how it was last, which may be news. */
  #deleted(raw: unknown): void {
    if (at(raw, "metadata", "uid") === this.#request.first.pod.uid) this.#takePod(raw);
    this.#gone("deleted");
  }

  #gone(how: "deleted" | "replaced"): void {
    if (this.#ending.signal.aborted) return;
    this.end();
    this.#onNews({ kind: "gone", how });
  }

  #followNode(name: string, known: NodeObservation | null): void {
    if (this.#node !== null) return;
    const request = { name, nodeConfig: this.#request.nodeConfig, known };
    const onNode = (node: NodeObservation): void => this.#onNews({ kind: "node", node });
    this.#node = new NodeWatch(this.#connection, request, onNode, this.#timers);
    this.#node.run(this.#ending.signal).catch((error) => {
      this.#nodeFailure = { error };
      this.end();
    });
  }

  /** Who may not see events is told so by the first observation. */
  async #followEvents(): Promise<void> {
    const { namespace, name } = this.#request.first.pod;
    const path = `/api/v1/namespaces/${inPath(namespace)}/events`;
    const source = { path, fieldSelector: `involvedObject.kind=Pod,involvedObject.name=${name}` };
    const { signal } = this.#ending;
    const watch = () => watchObjects(this.#connection, source, this.#events, this.#timers, signal);
    await whileAllowed(watch, nothingElse, this.#timers, signal);
  }

  async #followOwners(): Promise<void> {
    if (this.#request.followsOwners !== false) await this.#owners.run(this.#ending.signal);
  }
}

/** The events about one object as the API server has them: what it has forgotten is forgotten here too. */
class WatchedEvents implements WatchHandler {
  readonly #events = new Map<string, Readonly<Record<string, unknown>>>();
  readonly #onEvents: (events: readonly EventSnapshot[]) => void;
  #uids: readonly string[] | null = null;
  #isListed = false;

  /** `onEvents` is told all of them at each change, as soon as they are listed and it is known whose they are. */
  constructor(onEvents: (events: readonly EventSnapshot[]) => void) {
    this.#onEvents = onEvents;
  }

  /** They are those about one of these UIDs; what is said first holds. */
  areOf(uids: readonly string[]): void {
    if (this.#uids !== null) return;
    this.#uids = uids;
    this.#tell();
  }

  listed(events: readonly unknown[]): void {
    this.#events.clear();
    for (const event of events) this.#set(event);
    this.#isListed = true;
    this.#tell();
  }

  changed(event: unknown): void {
    this.#set(event);
    this.#tell();
  }

  deleted(event: unknown): void {
    this.#events.delete(keyOf(event));
    this.#tell();
  }

  /** Told of the pod's own watch, which shares its fate. */
  trouble(): void {}

  #tell(): void {
    if (this.#uids === null || !this.#isListed) return;
    this.#onEvents(eventsOf({ objects: [...this.#events.values()], why: null }, this.#uids).events);
  }

  #set(event: unknown): void {
    if (isObject(event)) this.#events.set(keyOf(event), event);
  }
}

function keyOf(event: unknown): string {
  return textOf(at(event, "metadata", "uid")) ?? textOf(at(event, "metadata", "name")) ?? "";
}
