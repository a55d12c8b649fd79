import type { EventSnapshot, Missing, SourceObject } from "../../explain/observed/observation.ts";
import type { Connection } from "../connection/connection.ts";
import { whyMissing } from "../connection/request-failure.ts";
import { eventSubjectOf, toEventSnapshot } from "../objects/event.ts";
import { inPath } from "../objects/workload-kinds.ts";
import { pagesOf } from "./collection-pages.ts";

interface InvolvedObject {
  readonly kind: "Pod" | "Node";
  readonly name: string;
  /** The namespace of the events; "default" for a Node's. */
  readonly namespace: string;
}

/** Events, and why the list is incomplete; null if it is complete. */
export interface EventList {
  readonly objects: readonly Readonly<Record<string, unknown>>[];
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
  const path = `/api/v1/namespaces/${inPath(subject.namespace)}/events`;
  const fieldSelector = `involvedObject.kind=${subject.kind},involvedObject.name=${subject.name}`;
  const objects: Readonly<Record<string, unknown>>[] = [];
  try {
    for await (const page of pagesOf(connection, path, { fieldSelector }, MOST_PAGES)) {
      for (const object of page) objects.push(object);
    }
    return { objects, why: null };
  } catch (error) {
    return { objects, why: whyMissing(error) };
  }
}

/** Reads the events under one of these UIDs, or without a UID; all events if `uids` is null. */
export function eventsOf(list: EventList, uids: readonly string[] | null): ReadEvents {
  const isMeant = (uid: string | null): boolean => uids === null || uid === null || uids.includes(uid);
  const objects = list.objects.filter((object) => isMeant(eventSubjectOf(object).uid));
  return { events: objects.map(toEventSnapshot), objects: objects.map((raw) => ({ kind: "Event", raw })) };
}
