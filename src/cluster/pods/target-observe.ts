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
import { collectionPath } from "../objects/workload-kinds.ts";
import { observeOwners, ownersByReference } from "../owners/owner-chain.ts";
import { liveSource, type ObjectSource, type RawObject } from "../owners/workload-source.ts";
import { type NodeObservation, observeNode } from "./observe-node.ts";
import { logsWith, momentOf, observeFound, observePod, type PodRequest, type Surroundings } from "./observe-pod.ts";
import { type ChosenPod, PodChoice } from "./target-choice.ts";
import { resolveTargets } from "./target-resolve.ts";

/** What the command line names, and how the rest is to be seen. */
export interface TargetsRequest extends Omit<PodRequest, "name"> {
  /** `POD…`, `TYPE/NAME…`, `TYPE NAME…`, or a TYPE alone before a selector; without both, all pods are meant, as in files. */
  readonly words: readonly string[];
  /** -l; undefined if it was not given. */
  readonly selector: string | undefined;
  readonly allNamespaces: boolean;
  /** How many pods to observe at most; left out: as many as anybody reads of. */
  readonly mostPods?: number;
}

export interface TargetsObservation {
  readonly observation: Observation;
  readonly selection: Selection;
  readonly failures: readonly UserError[];
  /** Sentences on what is inferred, left out or not there. */
  readonly notes: readonly string[];
}

/**
 * Asks the API server for all the pods that are meant and for what bears on their restarts. Throws for wrong usage, and
 * where a single target (or a selector) cannot be had; of several targets `failures` holds those.
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
  const { failures, notes } = await resolveTargets(polite, source, scope, (raw, order) =>
    choice.add(raw, order, nowMs()),
  );
  const moment = momentOf(polite.newestClockMs(), request);
  const chosen = choice.chosen();
  const logs = request.logs?.isAsked === true || chosen.length === 1 ? request.logs : undefined;
  const around = surroundings(optionally(polite), source, chosen, request, logsWith(polite, logs, moment.atMs));
  const pods = await Promise.all(chosen.map((pod) => observeFound(pod.raw, around(pod), moment.atMs)));
  return { observation: { ...moment, pods }, selection: choice.selection(), failures, notes };
}

async function onePod(connection: Connection, request: PodRequest): Promise<TargetsObservation> {
  const observation = await observePod(connection, request);
  const named = observation.pods.map(({ pod }) => `${pod.namespace}/${pod.name}`);
  const selection = { matched: named.length, leftOutFine: 0, leftOutInTrouble: 0, named };
  return { observation, selection, failures: [], notes: [] };
}

/** Every node is asked about once, and none for the sake of pods that look fine and were not named. */
function surroundings(
  connection: Connection,
  source: ObjectSource,
  chosen: readonly ChosenPod[],
  request: TargetsRequest,
  logs: Surroundings["logs"],
): (pod: ChosenPod) => Surroundings {
  const nodes = new Map<string, Promise<NodeObservation>>();
  const events = new PodEvents(
    connection,
    chosen.map(({ raw }) => toPodSnapshot(raw)),
  );
  const nodeOnce = (name: string): Promise<NodeObservation> => {
    const known = nodes.get(name) ?? observeNode(connection, name, request.nodeConfig);
    nodes.set(name, known);
    return known;
  };
  return ({ isFine, isNamed }) => ({
    events: (namespace, name) => events.of(namespace, name),
    node: (name) => (isFine && !isNamed ? Promise.resolve(NOT_ASKED) : nodeOnce(name)),
    owners: (raw) => (isFine ? ownersByReference(raw) : observeOwners(source, raw)),
    logs,
  });
}

const NOT_ASKED: NodeObservation = {
  node: null,
  nodeEvents: [],
  kubeletConfig: null,
  missing: (["node", "node-events", "node-config"] as const).map((what) => ({ what, why: "not-asked" })),
};

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
