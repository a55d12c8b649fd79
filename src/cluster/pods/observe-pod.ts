import { UserError } from "../../errors.ts";
import type { Now, Observation, PodObservation } from "../../explain/observed/observation.ts";
import { type EventList, eventsOf, listEvents } from "../api/list-events.ts";
import { namesAt, nearestNames } from "../api/nearest-names.ts";
import { optionally } from "../api/request-places.ts";
import type { ApiAnswer, Connection } from "../connection/connection.ts";
import { RequestFailure, toUserError } from "../connection/request-failure.ts";
import { eventUidsOf } from "../objects/event.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import { at, textOf } from "../objects/untrusted.ts";
import { collectionPath, inPath } from "../objects/workload-kinds.ts";
import { observeOwners, ownersByReference } from "../owners/owner-chain.ts";
import { liveSource, type ObjectSource, type RawObject } from "../owners/workload-source.ts";
import { type LogsRequest, observeLogs } from "./observe-logs.ts";
import { missing, type NodeConfig, type NodeObservation, observeNode } from "./observe-node.ts";
import { FINE, severityOf } from "./target-choice.ts";

export interface PodRequest {
  readonly name: string;
  readonly nodeConfig: NodeConfig;
  /** The moment to explain; null for now, by the API server's clock. */
  readonly atMs: number | null;
  /** The local clock, for API servers without a Date header. */
  readonly localNowMs: number;
  readonly logs?: LogsRequest | undefined;
}

/** Reads a pod and everything that affects its restarts. Throws a UserError if it cannot read the pod; the rest may be `missing`. */
export async function observePod(connection: Connection, request: PodRequest): Promise<Observation> {
  const { namespace } = connection;
  const optional = optionally(connection);
  const [answer, events] = await Promise.all([
    getPod(connection, request.name),
    listEvents(optional, { kind: "Pod", name: request.name, namespace }),
  ]);
  const moment = momentOf(answer.serverClockMs, request);
  const around: Surroundings = {
    events: async () => events,
    node: (name) => observeNode(optional, name, request.nodeConfig),
    source: liveSource(optional),
    connection,
    logs: request.logs,
  };
  return { ...moment, pods: [await observeFound(answer.body as RawObject, around, moment.atMs)] };
}

export interface Surroundings {
  events(namespace: string, name: string): Promise<EventList>;
  node(name: string): Promise<NodeObservation> | NodeObservation;
  readonly source: ObjectSource;
  readonly connection: Connection;
  readonly logs: LogsRequest | undefined;
}

/** Observes a pod that the program has already read. A healthy pod's owners are only inferred. */
export async function observeFound(raw: RawObject, around: Surroundings, atMs: number): Promise<PodObservation> {
  const pod = toPodSnapshot(raw);
  const [events, node, owners, logs] = await Promise.all([
    around.events(pod.namespace, pod.name),
    pod.nodeName === null ? NO_NODE : around.node(pod.nodeName),
    severityOf(pod, atMs) === FINE ? ownersByReference(raw) : observeOwners(around.source, raw),
    around.logs && observeLogs(around.connection, pod, around.logs, atMs),
  ]);
  const own = eventsOf(events, eventUidsOf(raw));
  return {
    ...node,
    pod,
    earlier: [],
    events: own.events,
    objects: [{ kind: "Pod", raw }, ...own.objects, ...(node.objects ?? [])],
    missing: [...missing("events", events.why), ...node.missing],
    ...(owners !== undefined && { owners }),
    ...(logs !== undefined && { logs }),
  };
}

const NO_NODE: NodeObservation = { node: null, nodeEvents: [], kubeletConfig: null, missing: [] };

/** The moment to explain: --at, else the API server's clock, else the local clock. */
export function momentOf(serverClockMs: number | null, request: Pick<PodRequest, "atMs" | "localNowMs">): Now {
  if (request.atMs !== null) return { atMs: request.atMs, atBasis: "flag" };
  if (serverClockMs !== null) return { atMs: serverClockMs, atBasis: "server-clock" };
  return { atMs: request.localNowMs, atBasis: "local-clock" };
}

/** Reads a pod. Throws a UserError, with similar names if there is no such pod. */
export async function getPod(connection: Connection, name: string): Promise<ApiAnswer> {
  const { namespace } = connection;
  const path = collectionPath("Pod", namespace);
  try {
    const answer = await connection.get(`${path}/${inPath(name)}`);
    if (textOf(at(answer.body, "metadata", "name")) !== null) return answer;
    throw new RequestFailure("bad-answer", { message: "it is no Pod", status: 200 });
  } catch (error) {
    if (!(error instanceof RequestFailure && error.kind === "not-found")) throw toUserError(error, connection);
    throw new UserError("podNotFound", name, namespace, nearestNames(name, await namesAt(connection, path)));
  }
}
