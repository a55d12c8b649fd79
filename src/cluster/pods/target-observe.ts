import type { UserError } from "../../errors.ts";
import type { Observation, Selection } from "../../explain/observed/observation.ts";
import { pagesOf } from "../api/collection-pages.ts";
import { type EventList, listEvents } from "../api/list-events.ts";
import { optionally, politely } from "../api/request-places.ts";
import { askedTargets } from "../api/target-words.ts";
import type { Connection } from "../connection/connection.ts";
import { whyMissing } from "../connection/request-failure.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import { at, textOf } from "../objects/untrusted.ts";
import { inPath } from "../objects/workload-kinds.ts";
import { liveSource, type ObjectSource, type RawObject } from "../owners/workload-source.ts";
import type { LogsRequest } from "./observe-logs.ts";
import { type NodeConfig, type NodeObservation, observeNode } from "./observe-node.ts";
import { momentOf, observeFound, observePod, type PodRequest, type Surroundings } from "./observe-pod.ts";
import { type ChosenPod, PodChoice, type PodOrder } from "./target-choice.ts";
import { resolveTargets } from "./target-resolve.ts";

export interface TargetsRequest extends Omit<PodRequest, "name"> {
  /** `POD…`, `TYPE/NAME…`, `TYPE NAME…`, or a TYPE alone before a selector. Without words and selector: all pods. */
  readonly words: readonly string[];
  /** -l; undefined if it was not given. */
  readonly selector: string | undefined;
  readonly allNamespaces: boolean;
  /** {@link MOST_EXPLAINED} if absent. */
  readonly mostPods?: number;
}

export interface TargetsObservation {
  readonly observation: Observation;
  readonly selection: Selection;
  readonly failures: readonly UserError[];
  /** Sentences about pods that are inferred, left out or not found. */
  readonly notes: readonly string[];
}

/**
 * Finds the pods that the user means, and observes the most urgent of them. Throws a UserError for wrong usage, or if the only
 * target (or the selector) fails; if there are several targets, the result's `failures` has those that fail.
 */
export async function observeTargets(connection: Connection, request: TargetsRequest): Promise<TargetsObservation> {
  const asked = askedTargets(request);
  const [only, ...others] = asked.targets;
  if (only?.kind === "Pod" && others.length === 0) return onePod(connection, { ...request, name: only.name });
  const polite = politely(connection);
  const source = liveSource(polite);
  const choice = new PodChoice(request.mostPods);
  const nowMs = (): number => momentOf(polite.newestClockMs(), request).atMs;
  const scope = { ...asked, namespace: request.allNamespaces ? null : connection.namespace };
  const onPod = (raw: RawObject, order: PodOrder): void => choice.add(raw, order, nowMs());
  const { failures, notes } = await resolveTargets({ connection: polite, source, onPod }, scope);
  const moment = momentOf(polite.newestClockMs(), request);
  const chosen = choice.chosen();
  const logs = request.logs?.isAsked === true || chosen.length === 1 ? request.logs : undefined;
  const around = surroundings(optionally(polite), source, chosen, request.nodeConfig, logs);
  const pods = await Promise.all(chosen.map((pod) => observeFound(pod.raw, around(pod), moment.atMs)));
  return { observation: { ...moment, pods }, selection: choice.selection(), failures, notes };
}

async function onePod(connection: Connection, request: PodRequest): Promise<TargetsObservation> {
  const observation = await observePod(connection, request);
  const named = observation.pods.map(({ pod }) => `${pod.namespace}/${pod.name}`);
  const selection = { matched: named.length, leftOutFine: 0, leftOutInTrouble: 0, named };
  return { observation, selection, failures: [], notes: [] };
}

/** Reads each node once. A healthy pod that the user has not named does not get its node read. */
function surroundings(
  connection: Connection,
  source: ObjectSource,
  chosen: readonly ChosenPod[],
  nodeConfig: NodeConfig,
  logs: LogsRequest | undefined,
): (pod: ChosenPod) => Surroundings {
  const nodes = new Map<string, Promise<NodeObservation>>();
  const events = new PodEvents(
    connection,
    chosen.map(({ raw }) => toPodSnapshot(raw)),
  );
  const nodeOnce = (name: string): Promise<NodeObservation> => {
    const known = nodes.get(name) ?? observeNode(connection, name, nodeConfig);
    nodes.set(name, known);
    return known;
  };
  return ({ isFine, isNamed }) => ({
    events: (namespace, name) => events.of(namespace, name),
    node: (name) => (isFine && !isNamed ? NOT_ASKED : nodeOnce(name)),
    source,
    connection,
    logs,
  });
}

const NOT_ASKED: NodeObservation = {
  node: null,
  nodeEvents: [],
  kubeletConfig: null,
  missing: (["node", "node-events", "node-config"] as const).map((what) => ({ what, why: "not-asked" })),
};

/** Up to this many pods of a namespace get a request each, because the namespace can have many events of other pods. */
const MOST_ONE_BY_ONE = 3;

/** If a namespace has more events about pods than this (in pages of 500), each pod gets a request of its own. */
const MOST_PAGES = 20;

/** Reads the events of pods: with one request per pod if there are few in a namespace, else all of the namespace at once. */
export class PodEvents {
  readonly #connection: Connection;
  readonly #wanted: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #lists = new Map<string, Promise<ReadonlyMap<string, EventList> | null>>();

  constructor(connection: Connection, pods: readonly { readonly namespace: string; readonly name: string }[]) {
    this.#connection = connection;
    const byNamespace = Map.groupBy(pods, ({ namespace }) => namespace);
    this.#wanted = new Map([...byNamespace].map(([key, inside]) => [key, new Set(inside.map(({ name }) => name))]));
  }

  /** Never throws for a failed request: `why` names the cause. */
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

/** The events of the wanted pods of a namespace, by pod name; null if the namespace has too many events. */
async function readAll(connection: Connection, namespace: string, wanted: ReadonlySet<string>) {
  const objects = new Map<string, RawObject[]>([...wanted].map((name) => [name, []]));
  const query = { fieldSelector: "involvedObject.kind=Pod" };
  let why: EventList["why"] = null;
  let pages = 0;
  try {
    const path = `/api/v1/namespaces/${inPath(namespace)}/events`;
    for await (const page of pagesOf(connection, path, query)) {
      if (++pages > MOST_PAGES) return null;
      for (const event of page) objects.get(textOf(at(event, "involvedObject", "name")) ?? "")?.push(event);
    }
  } catch (error) {
    why = whyMissing(error);
  }
  return new Map([...objects].map(([name, events]): [string, EventList] => [name, { objects: events, why }]));
}
