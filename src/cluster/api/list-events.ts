import type { EventSnapshot, Missing, SourceObject } from "../../explain/observed/observation.ts";
import type { Connection } from "../connection/connection.ts";
import { eventSubjectOf, toEventSnapshot } from "../objects/event.ts";
import { inPath } from "../objects/workload-kinds.ts";
import { pagesOf } from "./collection-pages.ts";
import { attempt, oncePerKey } from "./found.ts";

interface InvolvedObject {
  readonly kind: "Pod" | "Node";
  readonly name: string;
  /** The namespace of the events; "default" for a Node's. */
  readonly namespace: string;
}

type RawEvent = Readonly<Record<string, unknown>>;

/** Events, and why the list is incomplete; null if it is complete. */
export interface EventList {
  readonly objects: readonly RawEvent[];
  readonly why: Missing["why"] | null;
}

export interface ReadEvents {
  readonly events: readonly EventSnapshot[];
  readonly objects: readonly SourceObject[];
}

/** 5,000 events; no object has as many. */
const MOST_PAGES = 10;

/** Lists the events of an object. Never throws for a failed request: `why` names the cause. */
export async function listEvents(connection: Connection, subject: InvolvedObject): Promise<EventList> {
  const objects: RawEvent[] = [];
  const fieldSelector = `involvedObject.kind=${subject.kind},involvedObject.name=${subject.name}`;
  const { why } = await attempt(async () => {
    const path = eventsPath(subject.namespace);
    // `push(...page)` fails beyond some 100,000 objects, which an API server may send in one page.
    for await (const page of pagesOf(connection, path, { fieldSelector }, MOST_PAGES))
      for (const object of page) objects.push(object);
  });
  return { objects, why };
}

function eventsPath(namespace: string): string {
  return `/api/v1/namespaces/${inPath(namespace)}/events`;
}

/** Up to this many pods of a namespace get a request each, because the namespace can have many events of other pods. */
const MOST_ONE_BY_ONE = 3;

/** If a namespace has more events about pods than this (in pages of 500), each pod gets a request of its own. */
const MOST_PAGES_OF_PODS = 20;

/**
 * Makes a function that lists the events of one of these pods: with one request per pod if there are few in its namespace, else
 * with those of the whole namespace. It never throws for a failed request: `why` names the cause.
 */
export function podEvents(
  connection: Connection,
  pods: readonly { readonly namespace: string; readonly name: string }[],
): (namespace: string, name: string) => Promise<EventList> {
  const byNamespace = Map.groupBy(pods, ({ namespace }) => namespace);
  const ofNamespace = oncePerKey<ReadonlyMap<string, EventList> | null>();
  return async (namespace, name) => {
    const names = (byNamespace.get(namespace) ?? []).map((pod) => pod.name);
    const isOneByOne = names.length <= MOST_ONE_BY_ONE;
    const lists = isOneByOne ? null : await ofNamespace(namespace, () => eventsOfPods(connection, namespace, names));
    return lists?.get(name) ?? listEvents(connection, { kind: "Pod", name, namespace });
  };
}

/** The events of these pods of a namespace, by pod name; null if the namespace has too many events. */
async function eventsOfPods(connection: Connection, namespace: string, names: readonly string[]) {
  const objects = new Map(names.map((name): [string, RawEvent[]] => [name, []]));
  const query = { fieldSelector: "involvedObject.kind=Pod" };
  let pages = 0;
  const { why } = await attempt(async () => {
    for await (const page of pagesOf(connection, eventsPath(namespace), query)) {
      if (++pages > MOST_PAGES_OF_PODS) return;
      for (const event of page) objects.get(eventSubjectOf(event).name ?? "")?.push(event);
    }
  });
  if (pages > MOST_PAGES_OF_PODS) return null;
  return new Map([...objects].map(([name, events]): [string, EventList] => [name, { objects: events, why }]));
}

/** Reads the events under one of these UIDs, or without a UID; all events if `uids` is null. */
export function eventsOf(list: EventList, uids: readonly string[] | null): ReadEvents {
  const isMeant = (uid: string | null): boolean => uids === null || uid === null || uids.includes(uid);
  const objects = list.objects.filter((object) => isMeant(eventSubjectOf(object).uid));
  return { events: objects.map(toEventSnapshot), objects: objects.map((raw) => ({ kind: "Event", raw })) };
}
