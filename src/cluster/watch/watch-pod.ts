import type {
  EventSnapshot,
  OwnersObservation,
  PodObservation,
  PodSnapshot,
} from "../../explain/observed/observation.ts";
import { eventsAbout, eventsOf } from "../api/list-events.ts";
import type { Connection } from "../connection/connection.ts";
import type { Timers } from "../connection/timers.ts";
import { eventUidsOf } from "../objects/event.ts";
import { at, isObject, objectsOf, textOf } from "../objects/json-access.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import { collectionPath, objectPath } from "../objects/workload-kinds.ts";
import type { NodeConfig, NodeObservation } from "../pods/observe-node.ts";
import { resourceVersionOf, type WatchHandler } from "./object-watch.ts";
import { NodeWatch } from "./watch-node.ts";
import { pollObject, watchObjects } from "./watch-objects.ts";
import { OwnerWatch } from "./watch-owners.ts";
import { type Watching, whileAllowed } from "./watch-retry.ts";

export type PodNews =
  | { readonly kind: "pod"; readonly pod: PodSnapshot }
  | { readonly kind: "events"; readonly events: readonly EventSnapshot[] }
  | { readonly kind: "node"; readonly node: NodeObservation }
  | { readonly kind: "owners"; readonly owners: OwnersObservation }
  /** "replaced" means that another pod has the name now. */
  | { readonly kind: "gone"; readonly how: "deleted" | "replaced" }
  | { readonly kind: "connection-changed"; readonly failure: Error | null; readonly sinceLocalMs: number };

interface PodWatchRequest {
  readonly first: PodObservation;
  readonly nodeConfig: NodeConfig;
  /** True by default. */
  readonly followsOwners?: boolean;
}

export class PodWatch {
  readonly #ending = new AbortController();
  readonly #on: Watching;
  readonly #request: PodWatchRequest;
  readonly #onNews: (news: PodNews) => void;
  /** Can include events about other pods of this name. Null before the first list. */
  #events: ReadonlyMap<string, unknown> | null = null;
  #eventUids: readonly string[] | null = null;
  #version: string | null = null;
  readonly #owners: OwnerWatch;
  #node: NodeWatch | null = null;
  #nodeFailure: { readonly error: unknown } | null = null;

  constructor(connection: Connection, request: PodWatchRequest, onNews: (news: PodNews) => void, timers: Timers) {
    this.#on = { connection, timers, signal: this.#ending.signal };
    this.#request = request;
    this.#onNews = onNews;
    this.#owners = new OwnerWatch(this.#on, request.first.owners, (owners) => onNews({ kind: "owners", owners }));
  }

  /** Ends when the pod is gone or the caller calls `end`. Does not throw if a request fails. */
  async run(): Promise<void> {
    const { pod, node, nodeEvents, kubeletConfig, missing } = this.#request.first;
    if (pod.nodeName !== null) this.#followNode(pod.nodeName, { node, nodeEvents, kubeletConfig, missing });
    try {
      const owners = this.#request.followsOwners !== false ? this.#owners.run() : null;
      await Promise.all([this.#followPod(), this.#followEvents(), owners]);
      if (this.#nodeFailure !== null) throw this.#nodeFailure.error;
    } finally {
      this.end();
    }
  }

  end(): void {
    this.#ending.abort();
  }

  rereadNode(): void {
    this.#node?.rereadSoon();
  }

  async #followPod(): Promise<void> {
    const { namespace, name } = this.#request.first.pod;
    const handler: WatchHandler = {
      listed: ([pod]) => (pod === undefined ? this.#gone("deleted") : this.#podChanged(pod)),
      changed: (pod) => this.#podChanged(pod),
      deleted: (pod) => this.#deleted(pod),
      connectionChanged: (failure, sinceLocalMs) => this.#onNews({ kind: "connection-changed", failure, sinceLocalMs }),
    };
    const source = { path: collectionPath("Pod", namespace), fieldSelector: `metadata.name=${name}` };
    await whileAllowed(
      this.#on,
      () => watchObjects(this.#on, source, handler),
      (signal) => pollObject({ ...this.#on, signal }, objectPath("Pod", namespace, name), handler),
    );
  }

  #podChanged(raw: unknown): void {
    const pod = toPodSnapshot(raw);
    if (pod.uid !== this.#request.first.pod.uid) {
      this.#gone("replaced");
      return;
    }
    const version = resourceVersionOf(raw);
    if (version === null || version !== this.#version) this.#onNews({ kind: "pod", pod });
    this.#version = version;
    if (isObject(raw)) this.#owners.podChanged(raw, pod);
    if (pod.nodeName !== null) this.#followNode(pod.nodeName, null);
    if (this.#eventUids !== null) return;
    this.#eventUids = eventUidsOf(raw);
    this.#reportEvents();
  }

  #deleted(raw: unknown): void {
    if (at(raw, "metadata", "uid") === this.#request.first.pod.uid) this.#podChanged(raw);
    this.#gone("deleted");
  }

  #gone(how: "deleted" | "replaced"): void {
    if (this.#ending.signal.aborted) return;
    this.end();
    this.#onNews({ kind: "gone", how });
  }

  #followNode(name: string, known: NodeObservation | null): void {
    if (this.#node !== null) return;
    const onNode = (node: NodeObservation): void => this.#onNews({ kind: "node", node });
    this.#node = new NodeWatch(this.#on, { name, nodeConfig: this.#request.nodeConfig, known, onNode });
    this.#node.run().catch((error) => {
      this.#nodeFailure = { error };
      this.end();
    });
  }

  async #followEvents(): Promise<void> {
    const { namespace, name } = this.#request.first.pod;
    const source = eventsAbout({ kind: "Pod", name, namespace });
    const handler: WatchHandler = {
      listed: (events) => this.#setEvents(events),
      changed: (event) => this.#setEvents([...this.#knownEvents(), event]),
      deleted: (event) => this.#setEvents(this.#knownEvents().filter((known) => eventKey(known) !== eventKey(event))),
      // The watch of the pod reports a lost connection.
      connectionChanged: () => {},
    };
    await whileAllowed(this.#on, () => watchObjects(this.#on, source, handler));
  }

  #knownEvents(): unknown[] {
    return [...(this.#events?.values() ?? [])];
  }

  /** If `events` has two versions of an event, the version that comes later in the array counts. */
  #setEvents(events: readonly unknown[]): void {
    this.#events = new Map(events.map((event) => [eventKey(event), event]));
    this.#reportEvents();
  }

  #reportEvents(): void {
    if (this.#events === null || this.#eventUids === null) return;
    const list = { objects: objectsOf(this.#knownEvents()), why: null };
    this.#onNews({ kind: "events", events: eventsOf(list, this.#eventUids).events });
  }
}

function eventKey(event: unknown): string {
  return textOf(at(event, "metadata", "uid")) ?? textOf(at(event, "metadata", "name")) ?? "";
}
