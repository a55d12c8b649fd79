import type { PodObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import { type EventList, eventsOf, podEvents } from "../api/list-events.ts";
import { optionally, politely } from "../api/request-places.ts";
import type { Connection } from "../connection/connection.ts";
import { missing } from "../pods/observe-node.ts";
import type { ListedObservation } from "./list-observe.ts";

/** At most this many pods of a list wait for its end, and get their events. */
const MOST_WITH_EVENTS = 200;

/** Yields the parts of a list; the pods that need their events come in one more part at the end, with their events. */
export async function* withEventsOf(
  connection: Connection,
  parts: AsyncIterable<ListedObservation>,
  needsEvents: (pod: PodSnapshot) => boolean,
): AsyncGenerator<ListedObservation> {
  let kept: PodObservation[] = [];
  let last: ListedObservation | null = null;
  for await (const part of parts) {
    if (part.startsOver) kept = [];
    const some = part.pods.filter(({ pod }) => needsEvents(pod)).slice(0, MOST_WITH_EVENTS - kept.length);
    kept.push(...some);
    yield { ...part, pods: part.pods.filter((pod) => !some.includes(pod)) };
    last = part;
  }
  if (last === null || kept.length === 0) return;
  const eventsOfPod = podEvents(
    optionally(politely(connection)),
    kept.map(({ pod }) => pod),
  );
  const pods = await Promise.all(
    kept.map(async (observed) => withEvents(observed, await eventsOfPod(observed.pod.namespace, observed.pod.name))),
  );
  yield { ...last, pods, up: 0, startsOver: false };
}

function withEvents(observed: PodObservation, found: EventList): PodObservation {
  const { uid } = observed.pod;
  const others = observed.missing.filter(({ what }) => what !== "events");
  const own = eventsOf(found, uid === null ? [] : [uid]);
  return { ...observed, events: own.events, missing: [...others, ...missing("events", found.why)] };
}
