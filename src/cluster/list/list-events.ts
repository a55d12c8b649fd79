import { podKey } from "../../explain/observed/lookups.ts";
import type { PodObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import { isSlowToStartInStatus, isWithoutImage } from "../../explain/triage.ts";
import { type EventList, eventsOf, listEvents, podEvents } from "../api/list-events.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import { mayBeSlowToStart, mayBeWithoutImage, type PodRow } from "../objects/pod-table.ts";
import { missing } from "../pods/observe-node.ts";
import { NodeConfigs } from "./list-node-configs.ts";
import { type ListedObservation, type ListRequest, observeList } from "./list-observe.ts";
import type { ListScope } from "./list-pages.ts";
import type { OnSuspects } from "./list-pods.ts";

interface EventNeed {
  needs(pod: PodSnapshot, atMs: number): boolean;
  mayNeed(row: PodRow): boolean;
  readonly mostPods: number;
}

export const WHY_SLOW: EventNeed = { needs: isSlowToStartInStatus, mayNeed: mayBeSlowToStart, mostPods: 20 };

/** Includes pods whose image is missing, because the program predicts the next pull from events. */
export const WHEN_RETRIED: EventNeed = {
  needs: (pod, atMs) => isWithoutImage(pod) || WHY_SLOW.needs(pod, atMs),
  mayNeed: (row) => mayBeWithoutImage(row) || WHY_SLOW.mayNeed(row),
  mostPods: 200,
};

interface DetailsRequest extends ListRequest {
  readonly need: EventNeed;
  readonly configs?: NodeConfigs;
}

export async function* observeDetailedList(
  connection: Connection,
  scope: ListScope,
  { need, configs = new NodeConfigs(connection), ...request }: DetailsRequest,
): AsyncGenerator<ListedObservation> {
  const events = new ListEvents(connection, need);
  const onSuspects: OnSuspects = (rows) => {
    configs.requestAhead(rows);
    events.requestAhead(rows);
    request.onSuspects?.(rows);
  };
  for await (const part of configs.addedToParts(observeList(connection, scope, { ...request, onSuspects })))
    yield { ...part, pods: await events.addedTo(part) };
}

class ListEvents {
  readonly #connection: Connection;
  readonly #need: EventNeed;
  readonly #requested = new Map<string, Promise<EventList>>();
  #left: number;

  constructor(connection: Connection, need: EventNeed) {
    this.#connection = bestEffort(connection);
    this.#need = need;
    this.#left = need.mostPods;
  }

  requestAhead(rows: readonly PodRow[]): void {
    const likely = rows.flatMap((row) => {
      const { namespace, name } = row;
      return namespace !== null && this.#need.mayNeed(row) ? [{ namespace, name }] : [];
    });
    const requested = likely.slice(0, this.#need.mostPods - this.#requested.size);
    const eventsOfPod = podEvents(this.#connection, requested);
    for (const pod of requested) this.#requested.set(podKey(pod), eventsOfPod(pod.namespace, pod.name));
  }

  async addedTo({ pods, atMs, startsOver }: ListedObservation): Promise<readonly PodObservation[]> {
    if (startsOver) this.#left = this.#need.mostPods;
    const needing = new Set(pods.filter(({ pod }) => this.#need.needs(pod, atMs)).slice(0, this.#left));
    this.#left -= needing.size;
    const others = [...needing].flatMap(({ pod }) => (this.#requested.has(podKey(pod)) ? [] : [pod]));
    const eventsOfPod = podEvents(this.#connection, others);
    const answers = pods.map(async (observed) => {
      const { pod } = observed;
      if (!needing.has(observed)) return observed;
      return withEvents(observed, await (this.#requested.get(podKey(pod)) ?? eventsOfPod(pod.namespace, pod.name)));
    });
    return Promise.all(answers);
  }
}

export async function withOwnEvents(connection: Connection, observed: PodObservation): Promise<PodObservation> {
  const { namespace, name } = observed.pod;
  return withEvents(observed, await listEvents(bestEffort(connection), { kind: "Pod", namespace, name }));
}

function withEvents(observed: PodObservation, found: EventList): PodObservation {
  const { uid } = observed.pod;
  const others = observed.missing.filter(({ what }) => what !== "events");
  // The kubelet's events about a static pod can have a UID that the PodSnapshot lacks.
  const isStatic = observed.workload?.kind === "Node";
  const uids = uid === null ? [] : [uid];
  const own = eventsOf(found, isStatic ? null : uids);
  return { ...observed, events: own.events, missing: [...others, ...missing("events", found.why)] };
}
