import { UserError } from "../../errors.ts";
import type { ConfigSnapshot, ConfigSource, PodObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import { type EventList, eventsOf } from "../api/list-events.ts";
import { namesAt, nearestNames } from "../api/nearest-names.ts";
import type { ApiAnswer, Connection } from "../connection/connection.ts";
import { RequestFailure, toUserError } from "../connection/request-failure.ts";
import { eventUidsOf } from "../objects/event.ts";
import { at, textOf } from "../objects/json-access.ts";
import { collectionPath, inPath } from "../objects/workload-kinds.ts";
import { observeOwners, ownersByReference } from "../owners/owner-chain.ts";
import type { ObjectSource } from "../owners/workload-source.ts";
import { configOf, readConfig } from "./observe-config.ts";
import { type LogsRequest, observeLogs } from "./observe-logs.ts";
import { addressesNeeded, type NeedReader } from "./observe-needs.ts";
import { missing, NO_NODE, type NodeObservation } from "./observe-node.ts";
import type { ChosenPod } from "./target-choice.ts";

export interface Surroundings {
  events(namespace: string, name: string): Promise<EventList>;
  node(name: string): Promise<NodeObservation> | NodeObservation;
  readonly source: ObjectSource;
  /** Reads the metadata of a ConfigMap or a Secret; nothing if that fails, or if too many pods are explained. */
  configSource(namespace: string, source: ConfigSource): Promise<readonly ConfigSnapshot[]>;
  /** Reads the Services that the pod could not reach, their endpoints and their pods. */
  readonly needs: NeedReader;
  readonly connection: Connection;
  readonly logs: LogsRequest | undefined;
}

/**
 * Observes a pod that the program has already read. Infers the owners of a healthy pod from names, without a request,
 * and does not read its ConfigMaps and Secrets.
 */
export async function observePod(
  { raw, pod, isFine }: ChosenPod,
  around: Surroundings,
  atMs: number,
): Promise<PodObservation> {
  const [events, node, owners, { logs, needs }, sources] = await Promise.all([
    around.events(pod.namespace, pod.name),
    pod.nodeName === null ? NO_NODE : around.node(pod.nodeName),
    isFine ? ownersByReference(raw) : observeOwners(around.source, raw),
    readLogs(pod, around, atMs),
    isFine ? [] : readConfig(around.configSource, pod),
  ]);
  const own = eventsOf(events, eventUidsOf(raw));
  const config = configOf(sources, [{ kind: "Pod", raw }, ...own.objects, ...(owners?.objects ?? [])]);
  return {
    ...node,
    pod,
    earlier: [],
    events: own.events,
    objects: [{ kind: "Pod", raw }, ...own.objects, ...(node.objects ?? [])],
    missing: [...missing("events", events.why), ...node.missing],
    ...(owners !== undefined && { owners }),
    ...(config !== undefined && { config }),
    ...(logs !== undefined && { logs }),
    ...(needs.length > 0 && { needs }),
  };
}

/** Reads the logs of the pod's failing containers, and then what these say the pod could not reach. */
async function readLogs(pod: PodSnapshot, { logs: request, connection, needs }: Surroundings, atMs: number) {
  if (request === undefined) return { logs: undefined, needs: [] };
  const logs = await observeLogs(connection, pod, request, atMs);
  return { logs, needs: await needs(pod.namespace, addressesNeeded(pod, logs, atMs), atMs) };
}

/** Reads a pod. Throws a UserError if that fails. If there is no such pod, the error names pods with similar names. */
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
