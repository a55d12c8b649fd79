import { pagesOf } from "../api/collection-pages.ts";
import { type EventList, listEvents } from "../api/list-events.ts";
import type { Connection } from "../connection/connection.ts";
import { whyMissing } from "../connection/request-failure.ts";
import { at, textOf } from "../objects/untrusted.ts";
import { collectionPath } from "../objects/workload-kinds.ts";
import type { RawObject } from "../owners/workload-source.ts";

/** Up to so many pods of a namespace are asked about one by one: a namespace can have many events of others. */
const MOST_ONE_BY_ONE = 3;

/** A namespace with more events about pods than this (in pages of 500) is not read to the end: the pods are then asked about. */
const MOST_PAGES = 20;

/** Asks for the events of pods: of many in one namespace all at once, of few one by one. */
export class PodEvents {
  readonly #connection: Connection;
  readonly #wanted: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #lists = new Map<string, Promise<ReadonlyMap<string, EventList> | null>>();

  constructor(connection: Connection, pods: readonly { readonly namespace: string; readonly name: string }[]) {
    this.#connection = connection;
    const byNamespace = Map.groupBy(pods, ({ namespace }) => namespace);
    this.#wanted = new Map([...byNamespace].map(([key, inside]) => [key, new Set(inside.map(({ name }) => name))]));
  }

  /** Never fails for lack of rights or of an answer: `why` says it then. */
  async of(namespace: string, name: string): Promise<EventList> {
    const wanted = this.#wanted.get(namespace);
    const lists =
      wanted === undefined || wanted.size <= MOST_ONE_BY_ONE ? null : await this.#ofNamespace(namespace, wanted);
    return lists?.get(name) ?? listEvents(this.#connection, { kind: "Pod", name, namespace });
  }

  #ofNamespace(namespace: string, wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, EventList> | null> {
    const known = this.#lists.get(namespace) ?? readAll(this.#connection, namespace, wanted);
    this.#lists.set(namespace, known);
    return known;
  }
}

/** The events of the pods that are wanted, by their names; null if there are too many events. */
async function readAll(connection: Connection, namespace: string, wanted: ReadonlySet<string>) {
  const objects = new Map<string, RawObject[]>([...wanted].map((name) => [name, []]));
  const query = { fieldSelector: "involvedObject.kind=Pod" };
  let why: EventList["why"] = null;
  let pages = 0;
  try {
    // `collectionPath` knows no events: they are beside the pods.
    const path = collectionPath("Pod", namespace).replace(/pods$/, "events");
    for await (const page of pagesOf(connection, path, query)) {
      if (++pages > MOST_PAGES) return null;
      for (const event of page) objects.get(textOf(at(event, "involvedObject", "name")) ?? "")?.push(event);
    }
  } catch (error) {
    why = whyMissing(error);
  }
  return new Map([...objects].map(([name, events]): [string, EventList] => [name, { objects: events, why }]));
}
