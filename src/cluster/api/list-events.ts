import type { EventSnapshot, Missing, SourceObject } from "../../explain/observed/observation.ts";
import type { Connection } from "../connection/connection.ts";
import { whyMissing } from "../connection/request-failure.ts";
import { toEventSnapshot } from "../objects/event.ts";
import { at, textOf } from "../objects/untrusted.ts";
import { inPath } from "../objects/workload-kinds.ts";
import { pagesOf } from "./collection-pages.ts";

interface InvolvedObject {
  readonly kind: "Pod" | "Node";
  readonly name: string;
  /** Where its events are: of a Node, that is "default". */
  readonly namespace: string;
}

/** Raw events, and why there are not more of them, if there should be. */
export interface EventList {
  readonly objects: readonly Readonly<Record<string, unknown>>[];
  readonly why: Missing["why"] | null;
}

export interface ReadEvents {
  readonly events: readonly EventSnapshot[];
  readonly objects: readonly SourceObject[];
}

/** A bound for a server that never stops continuing: no object has five thousand events. */
const MOST_PAGES = 10;

/** Every event about `subject`, page by page. Never fails for lack of rights or of an answer: `why` says it then. */
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

/** Those of the events that are about one of these UIDs; an event without a UID counts by its name. */
export function eventsOf(list: EventList, uids: readonly string[]): ReadEvents {
  const isMeant = (uid: string | null): boolean => uid === null || uids.includes(uid);
  const objects = list.objects.filter((object) => isMeant(textOf(at(object, "involvedObject", "uid"))));
  return { events: objects.map(toEventSnapshot), objects: objects.map((raw) => ({ kind: "Event", raw })) };
}
