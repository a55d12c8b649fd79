import type { PodObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import { isSlowToStartInStatus, isWithoutImage } from "../../explain/triage.ts";
import { type EventList, eventsOf, listEvents, podEvents } from "../api/list-events.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import { mayBeSlowToStart, mayBeWithoutImage, type PodRow } from "../objects/pod-table.ts";
import { missing } from "../pods/observe-node.ts";
import { NodeConfigs, withNodeConfigs } from "./list-node-configs.ts";
import { type ListedObservation, observeList } from "./list-observe.ts";
import type { ListScope } from "./list-pages.ts";
import type { OnSuspects } from "./list-pods.ts";

/** Selects the pods whose events a list reads. */
interface EventNeed {
  needs(pod: PodSnapshot, atMs: number): boolean;
  /** Whether the pod with this row of the table may need its events. */
  mayNeed(row: PodRow): boolean;
  /** The maximum number of pods: the events of each may be a request. */
  readonly most: number;
}

/** Selects pods that are slow to start. Their events say why. */
export const WHY_SLOW: EventNeed = { needs: isSlowToStartInStatus, mayNeed: mayBeSlowToStart, most: 20 };

/**
 * Selects pods whose image pull fails, and pods that are slow to start. Their events show when the kubelet tries the
 * failed step again.
 */
export const WHEN_RETRIED: EventNeed = {
  needs: (pod, atMs) => isWithoutImage(pod) || WHY_SLOW.needs(pod, atMs),
  mayNeed: (row) => mayBeWithoutImage(row) || WHY_SLOW.mayNeed(row),
  most: 200,
};

/**
 * Works like {@link observeList}, but also reads the events of the pods that `need` selects, and the configurations of
 * the kubelets if they are few.
 */
export function observeDetailedList(
  connection: Connection,
  scope: ListScope,
  localNowMs: number,
  need: EventNeed,
  onSuspects: OnSuspects = () => {},
): AsyncGenerator<ListedObservation> {
  const [configs, events] = [new NodeConfigs(connection), new ListEvents(connection, need)];
  const observed = observeList(connection, scope, localNowMs, (rows) => {
    configs.expect(rows);
    events.expect(rows);
    onSuspects(rows);
  });
  return events.addedTo(withNodeConfigs(configs, observed));
}

/** Reads the events of the pods that `need` selects from a list. */
export class ListEvents {
  readonly #connection: Connection;
  readonly #need: EventNeed;
  readonly #expected = new Map<string, Promise<EventList>>();

  constructor(connection: Connection, need: EventNeed) {
    this.#connection = bestEffort(connection);
    this.#need = need;
  }

  /**
   * Requests the events of the pods that `need` may select, by their rows. The program reads the pods at the same time,
   * which saves a round trip.
   */
  expect(rows: readonly PodRow[]): void {
    const likely = rows.flatMap((row) => {
      const { namespace, name } = row;
      return namespace !== null && this.#need.mayNeed(row) ? [{ namespace, name }] : [];
    });
    const asked = likely.slice(0, this.#need.most - this.#expected.size);
    const eventsOfPod = podEvents(this.#connection, asked);
    for (const { namespace, name } of asked) this.#expected.set(`${namespace}/${name}`, eventsOfPod(namespace, name));
  }

  /**
   * Yields the parts of a list. The pods that `need` selects, up to its maximum, come in an extra last part, with their
   * events.
   */
  async *addedTo(parts: AsyncIterable<ListedObservation>): AsyncGenerator<ListedObservation> {
    const { needs, most } = this.#need;
    let kept: PodObservation[] = [];
    let last: ListedObservation | null = null;
    for await (const part of parts) {
      if (part.startsOver) kept = [];
      const some = part.pods.filter(({ pod }) => needs(pod, part.atMs)).slice(0, most - kept.length);
      kept.push(...some);
      yield { ...part, pods: part.pods.filter((pod) => !some.includes(pod)) };
      last = part;
    }
    if (last === null || kept.length === 0) return;
    yield { ...last, pods: await this.#withEvents(kept), all: [], up: 0, startsOver: false };
  }

  #withEvents(pods: readonly PodObservation[]): Promise<PodObservation[]> {
    const expected = ({ namespace, name }: PodSnapshot) => this.#expected.get(`${namespace}/${name}`);
    const others = pods.flatMap(({ pod }) => (expected(pod) === undefined ? [pod] : []));
    const eventsOfPod = podEvents(this.#connection, others);
    const answers = pods.map(async (observed) => {
      const { pod } = observed;
      return withEvents(observed, await (expected(pod) ?? eventsOfPod(pod.namespace, pod.name)));
    });
    return Promise.all(answers);
  }
}

/** Adds its events to a pod of a watched list. Does not throw if the request fails: `missing` has the cause. */
export async function withOwnEvents(connection: Connection, observed: PodObservation): Promise<PodObservation> {
  const { namespace, name } = observed.pod;
  return withEvents(observed, await listEvents(bestEffort(connection), { kind: "Pod", namespace, name }));
}

function withEvents(observed: PodObservation, found: EventList): PodObservation {
  const { uid } = observed.pod;
  const others = observed.missing.filter(({ what }) => what !== "events");
  // Events about a static pod have a UID that the list does not keep.
  const isStatic = observed.workload?.kind === "Node";
  const uids = uid === null ? [] : [uid];
  const own = eventsOf(found, isStatic ? null : uids);
  return { ...observed, events: own.events, missing: [...others, ...missing("events", found.why)] };
}
