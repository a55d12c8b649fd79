import type { EventSnapshot, Missing, SourceObject } from "../../explain/observed/observation.ts";
import type { Connection } from "../connection/connection.ts";
import { eventSubjectOf, toEventSnapshot } from "../objects/event.ts";
import type { JsonObject } from "../objects/json-access.ts";
import { inPath } from "../objects/workload-kinds.ts";
import { pagesOf } from "./collection-pages.ts";
import { fetched, oncePerKey } from "./fetched.ts";

interface InvolvedObject {
  readonly kind: "Pod" | "Node";
  readonly name: string;
  /** The namespace of the events. For a Node, this is usually "default". */
  readonly namespace: string;
}

export interface EventList {
  readonly objects: readonly JsonObject[];
  readonly why: Missing["why"] | null;
}

export interface ReadEvents {
  readonly events: readonly EventSnapshot[];
  readonly objects: readonly SourceObject[];
}

const MOST_PAGES = 10;

export async function listEvents(connection: Connection, subject: InvolvedObject): Promise<EventList> {
  const objects: JsonObject[] = [];
  const { path, fieldSelector } = eventsAbout(subject);
  const { why } = await fetched(async () => {
    // An API server may send many objects in one page, and `push(...page)` can fail beyond some 100,000 objects.
    for await (const page of pagesOf(connection, path, { fieldSelector }, MOST_PAGES))
      for (const object of page) objects.push(object);
  });
  return { objects, why };
}

export function eventsAbout({ kind, name, namespace }: InvolvedObject) {
  return {
    path: eventsPath(namespace),
    fieldSelector: `involvedObject.kind=${kind},involvedObject.name=${name}`,
  };
}

function eventsPath(namespace: string): string {
  return `/api/v1/namespaces/${inPath(namespace)}/events`;
}

/** For more pods in a namespace, the program first tries to list the events of all pods of the namespace together. */
const MOST_ONE_BY_ONE = 10;

/** If the events of all pods of a namespace fill more pages, the program lists the events of each pod after all. */
const MOST_PAGES_OF_PODS = 20;

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

async function eventsOfPods(connection: Connection, namespace: string, names: readonly string[]) {
  const objects = new Map(names.map((name): [string, JsonObject[]] => [name, []]));
  const query = { fieldSelector: "involvedObject.kind=Pod" };
  let pages = 0;
  const { why } = await fetched(async () => {
    for await (const page of pagesOf(connection, eventsPath(namespace), query)) {
      if (++pages > MOST_PAGES_OF_PODS) return;
      for (const event of page) objects.get(eventSubjectOf(event).name ?? "")?.push(event);
    }
  });
  if (pages > MOST_PAGES_OF_PODS) return null;
  return new Map([...objects].map(([name, events]): [string, EventList] => [name, { objects: events, why }]));
}

export function eventsOf(list: EventList, uids: readonly string[] | null): ReadEvents {
  const isMeant = (uid: string | null): boolean => uids === null || uid === null || uids.includes(uid);
  const objects = list.objects.filter((object) => isMeant(eventSubjectOf(object).uid));
  return { events: objects.map(toEventSnapshot), objects: objects.map((raw) => ({ kind: "Event", raw })) };
}
