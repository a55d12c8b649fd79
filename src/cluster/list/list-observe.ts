import type {
  Missing,
  Observation,
  OwnerReference,
  PodObservation,
  PodSnapshot,
} from "../../explain/observed/observation.ts";
import { type PacedAsk, paced } from "../api/list-pace.ts";
import type { Connection } from "../connection/connection.ts";
import { toUserError } from "../connection/request-failure.ts";
import { controllerOf, inferredParent } from "../objects/owner-reference.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import { listNodes, type NodeList } from "./list-nodes.ts";
import type { ListScope } from "./list-pages.ts";
import { listPods } from "./list-pods.ts";

/** A part of a list: those of its pods that may have a container that is down. */
export interface ListedObservation extends Observation {
  /** How many pods have been read so far. */
  readonly seen: number;
  /** The names of the pods of this part, whether anything of them is down or not. */
  readonly names: readonly string[];
  /** What came before is void: the list has become too old, and begins anew. */
  readonly startsOver: boolean;
  /** The resourceVersion of the list's beginning: all that changes afterwards is newer. Null if the server does not say. */
  readonly version: string | null;
}

/**
 * Observes the pods of a scope that may have a container that is down, part by part, so that nobody need hold them all. Events
 * and the kubelets' configurations are not asked for. "Now" is the moment that the list is of, by the server's clock. Ends
 * with a UserError where the list breaks off; nodes that may not be read are `missing`.
 */
export async function* observeList(
  connection: Connection,
  scope: ListScope,
  localNowMs: number,
): AsyncGenerator<ListedObservation> {
  const requests = paced(connection);
  let nodes: Promise<NodeList> | null = null;
  const nodesOnce = (): Promise<NodeList> => {
    nodes ??= listNodes(requests.ask);
    return nodes;
  };
  try {
    yield* observeParts(requests, scope, nodesOnce, localNowMs);
  } catch (error) {
    throw toUserError(error, connection);
  }
}

/** The same for someone who goes on after a failure: ends with the RequestFailure. `nodes` is asked only if there is a need to. */
export async function* observeParts(
  requests: PacedAsk,
  scope: ListScope,
  nodes: () => Promise<NodeList>,
  localNowMs: number,
): AsyncGenerator<ListedObservation> {
  let [seen, atMs, version] = [0, null as number | null, null as string | null];
  for await (const step of listPods(requests, scope)) {
    if (step.startsOver) [seen, atMs, version] = [0, null, null];
    seen += step.names.length;
    atMs ??= step.serverClockMs;
    version ??= step.version;
    // Most lists find nothing, and need no nodes.
    const known = step.pods.length > 0 ? await nodes() : NO_NODES;
    const pods = step.pods.map((raw) => listedPod(toPodSnapshot(raw), raw, known));
    const moment = { atMs: atMs ?? localNowMs, atBasis: atMs === null ? "local-clock" : "server-clock" } as const;
    yield { ...moment, pods, seen, names: step.names, startsOver: step.startsOver, version };
  }
}

const NO_NODES: NodeList = { nodes: new Map(), why: null };
const NOT_ASKED: readonly Missing[] = (["events", "node-events", "node-config"] as const).map((what) => ({
  what,
  why: "not-asked",
}));

/** A pod of a list, made of `raw`, with what is known of its node and what names tell of its workload. */
export function listedPod(pod: PodSnapshot, raw: unknown, { nodes, why }: NodeList): PodObservation {
  const node = (pod.nodeName === null ? null : nodes.get(pod.nodeName)) ?? null;
  const noNode: Missing[] = node !== null || pod.nodeName === null ? [] : [{ what: "node", why: why ?? "not-found" }];
  return {
    pod,
    node,
    earlier: [],
    events: [],
    nodeEvents: [],
    kubeletConfig: null,
    missing: [...noNode, ...NOT_ASKED],
    workload: workloadOf(raw),
  };
}

function workloadOf(raw: unknown): OwnerReference | null {
  const controller = controllerOf(raw);
  if (controller === null) return null;
  return inferredParent(raw, controller) ?? { kind: controller.kind, name: controller.name };
}
