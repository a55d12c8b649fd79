import type { UserError } from "../../errors.ts";
import type { AskedJob, Now, Observation, Selection } from "../../explain/observed/observation.ts";
import { oncePerKey } from "../api/fetched.ts";
import { type EventList, listEvents, podEvents } from "../api/list-events.ts";
import { dated } from "../api/server-clock.ts";
import { askedTargets, type Target } from "../api/target-words.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import { requestCrowd } from "../owners/owner-chain.ts";
import { liveSource, type ObjectSource, type RawObject } from "../owners/workload-source.ts";
import { configReader } from "./observe-config.ts";
import type { LogsRequest } from "./observe-logs.ts";
import { liveNeeds, needReader } from "./observe-needs.ts";
import { NOT_ASKED, type NodeConfig, type NodeObservation, observeNode } from "./observe-node.ts";
import { observePod, type Surroundings } from "./observe-pod.ts";
import { type ChosenPod, PodChoice, type PodOrder, podsToLog } from "./target-choice.ts";
import { resolveTargets } from "./target-resolve.ts";

export interface TargetsRequest {
  /** `POD…`, `TYPE/NAME…`, `TYPE NAME…`, or a TYPE alone with a selector. If empty and without a selector: all pods. */
  readonly words: readonly string[];
  readonly selector: string | undefined;
  readonly allNamespaces: boolean;
  /** The maximum number of pods to explain; {@link MOST_EXPLAINED} by default. */
  readonly mostPods?: number;
  readonly nodeConfig: NodeConfig;
  /** The moment to explain; null for now, by the API server's clock. */
  readonly atMs: number | null;
  /** The local clock, for API servers without a Date header. */
  readonly localNowMs: number;
  readonly logs?: LogsRequest | undefined;
  /**
   * The maximum number of controllers of which to read one pod's logs although the user has not asked for logs;
   * default: 3.
   */
  readonly mostLogs?: number | undefined;
}

export interface TargetsObservation {
  readonly observation: Observation;
  readonly selection: Selection;
  readonly failures: readonly UserError[];
  /** Sentences for the user about pods that are inferred, left out or not found. */
  readonly notes: readonly string[];
}

/**
 * Finds the pods that the user means, and observes the most urgent of them. Throws a UserError for wrong usage, or if
 * the selector or the only target fails. If there are several targets, `failures` has the errors.
 */
export async function observeTargets(connection: Connection, request: TargetsRequest): Promise<TargetsObservation> {
  const asked = askedTargets(request);
  const withDate = dated(connection);
  const early = eventsOfOnlyPod(bestEffort(connection), asked.targets);
  // Of a single pod, only the owners are read from here, and the explanation can do without them.
  const source = liveSource(early === null ? withDate : bestEffort(withDate));
  const choice = new PodChoice(request.mostPods);
  const now = (): Now => momentOf(withDate.newestDateMs(), request);
  const scope = { ...asked, namespace: request.allNamespaces ? null : connection.namespace };
  const onPod = (raw: RawObject, order: PodOrder): void => choice.add(raw, order, now().atMs);
  const notes: string[] = [];
  const jobs: AskedJob[] = [];
  const onJob = (job: AskedJob): unknown => jobs.push(job);
  const failures = await resolveTargets({ connection: withDate, source, onPod, onJob, notes }, scope);
  const moment = now();
  const chosen = choice.chosen();
  if (early !== null) for (const { raw, isFine } of chosen) if (!isFine) requestCrowd(source, raw);
  const toLog = podsToLog(chosen, moment.atMs, request.mostLogs);
  const around = surroundings(bestEffort(withDate), source, chosen, request, early, toLog);
  const pods = await Promise.all(chosen.map((pod) => observePod(pod, around(pod), moment.atMs)));
  return {
    observation: { ...moment, pods, ...(jobs.length > 0 && { jobs }) },
    selection: choice.selection(),
    failures,
    notes,
  };
}

function momentOf(serverClockMs: number | null, { atMs, localNowMs }: TargetsRequest): Now {
  if (atMs !== null) return { atMs, atBasis: "flag" };
  if (serverClockMs !== null) return { atMs: serverClockMs, atBasis: "server-clock" };
  return { atMs: localNowMs, atBasis: "local-clock" };
}

/** Requests the events of a pod early, before the pod has been read; null if the targets are not just one pod. */
function eventsOfOnlyPod(connection: Connection, [only, ...others]: readonly Target[]): Promise<EventList> | null {
  if (only?.kind !== "Pod" || others.length > 0) return null;
  const events = listEvents(connection, { kind: "Pod", name: only.name, namespace: connection.namespace });
  // The caller awaits `events`, and a failure of them, only after the pod has been read.
  events.catch(() => {});
  return events;
}

/**
 * Makes a function that returns what the program reads around each pod of `chosen`. Each node is read once, but no node
 * of a healthy pod that the user has not named.
 */
function surroundings(
  connection: Connection,
  source: ObjectSource,
  chosen: readonly ChosenPod[],
  { nodeConfig, logs }: TargetsRequest,
  early: Promise<EventList> | null,
  toLog: ReadonlySet<ChosenPod>,
): (pod: ChosenPod) => Surroundings {
  const nodeOnce = oncePerKey<NodeObservation>();
  const pods = chosen.map(({ pod }) => pod);
  const events = early === null ? podEvents(connection, pods) : () => early;
  const configSource = configReader(connection, chosen.length);
  const readNode = (name: string) => nodeOnce(name, () => observeNode(connection, name, nodeConfig));
  const needs = needReader(liveNeeds(connection, readNode));
  return (pod) => ({
    events,
    node: (name) => (pod.isFine && !pod.isNamed ? NOT_ASKED : readNode(name)),
    source,
    configSource,
    needs,
    connection,
    logs: logs?.isAsked === true || toLog.has(pod) ? logs : undefined,
  });
}
