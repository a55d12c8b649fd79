import { UserError } from "../errors.ts";
import type { AtBasis, Observation } from "../explain/observation.ts";
import type { ApiAnswer, Connection } from "./connect.ts";
import { eventsOf, listEvents } from "./list-events.ts";
import { nearestNames } from "./nearest-names.ts";
import { missing, type NodeConfig, type NodeObservation, observeNode } from "./observe-node.ts";
import { toPodSnapshot } from "./pod-snapshot.ts";
import { RequestFailure, toUserError } from "./request-failure.ts";
import { at, objectsOf, textOf } from "./untrusted.ts";

/** Which pod, and for which moment. */
export interface PodRequest {
  readonly name: string;
  readonly nodeConfig: NodeConfig;
  /** The moment to explain; null for now, by the API server's clock. */
  readonly atMs: number | null;
  /** Counts only where the server does not say what time it is. */
  readonly localNowMs: number;
}

/** Asks the API server for a pod and for all that bears on its restarts. A UserError without the pod; the rest may be missing. */
export async function observePod(connection: Connection, request: PodRequest): Promise<Observation> {
  const { namespace } = connection;
  const [answer, events] = await Promise.all([
    getPod(connection, request.name),
    listEvents(connection, { kind: "Pod", name: request.name, namespace }),
  ]);
  const pod = toPodSnapshot(answer.body);
  const node = pod.nodeName === null ? NO_NODE : await observeNode(connection, pod.nodeName, request.nodeConfig);
  return {
    ...momentOf(answer, request),
    pods: [
      {
        ...node,
        pod,
        earlier: [],
        events: eventsOf(events, uidsOf(answer.body)),
        missing: [...missing("events", events.why), ...node.missing],
      },
    ],
  };
}

/** A pod that no node has yet. */
const NO_NODE: NodeObservation = { node: null, nodeEvents: [], kubeletConfig: null, missing: [] };

function momentOf(answer: ApiAnswer, request: PodRequest): { atMs: number; atBasis: AtBasis } {
  if (request.atMs !== null) return { atMs: request.atMs, atBasis: "flag" };
  if (answer.serverClockMs !== null) return { atMs: answer.serverClockMs, atBasis: "server-clock" };
  return { atMs: request.localNowMs, atBasis: "local-clock" };
}

/**
 * The UIDs that the kubelet uses for the pod in events. For a static pod that is the one of its file: the API server's copy
 * has another, and names the first in an annotation (`MirrorPodAnnotationKey`, k8s.io/api v0.37.1, core/v1/annotation_key_constants.go).
 */
export function uidsOf(pod: unknown): readonly string[] {
  const uids = [at(pod, "metadata", "uid"), at(pod, "metadata", "annotations", "kubernetes.io/config.mirror")];
  return uids.flatMap((uid) => textOf(uid) ?? []);
}

function podsPath(namespace: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
}

async function getPod(connection: Connection, name: string): Promise<ApiAnswer> {
  const { namespace, server, timeoutMs } = connection;
  try {
    return await connection.get(`${podsPath(namespace)}/${encodeURIComponent(name)}`);
  } catch (error) {
    if (!(error instanceof RequestFailure && error.kind === "not-found")) throw toUserError(error, server, timeoutMs);
    throw new UserError("podNotFound", name, namespace, nearestNames(name, await namesOfPods(connection)));
  }
}

/** Of a large namespace only the first names, without the pods themselves. */
const SUGGESTIONS = {
  query: { limit: "500" },
  accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
};

async function namesOfPods(connection: Connection): Promise<readonly string[]> {
  try {
    const { body } = await connection.get(podsPath(connection.namespace), SUGGESTIONS);
    return objectsOf(at(body, "items")).flatMap((item) => textOf(at(item, "metadata", "name")) ?? []);
  } catch {
    return []; // A suggestion is a courtesy: what matters is that the pod is not there.
  }
}
