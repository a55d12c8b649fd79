import type { UserError } from "../../errors.ts";
import type { Observation, Selection } from "../../explain/observed/observation.ts";
import { oncePerKey } from "../api/found.ts";
import { podEvents } from "../api/list-events.ts";
import { optionally, politely } from "../api/request-places.ts";
import { askedTargets } from "../api/target-words.ts";
import type { Connection } from "../connection/connection.ts";
import { toPodSnapshot } from "../objects/pod.ts";
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
  const notes: string[] = [];
  const failures = await resolveTargets({ connection: polite, source, onPod, notes }, scope);
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

/** How to read what is around each pod: each node once, and no node for a healthy pod that the user has not named. */
function surroundings(
  connection: Connection,
  source: ObjectSource,
  chosen: readonly ChosenPod[],
  nodeConfig: NodeConfig,
  logs: LogsRequest | undefined,
): (pod: ChosenPod) => Surroundings {
  const nodeOnce = oncePerKey<NodeObservation>();
  const pods = chosen.map(({ raw }) => toPodSnapshot(raw));
  const events = podEvents(connection, pods);
  return ({ isFine, isNamed }) => ({
    events,
    node: (name) => (isFine && !isNamed ? NOT_ASKED : nodeOnce(name, () => observeNode(connection, name, nodeConfig))),
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
