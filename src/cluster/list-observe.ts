import type { Missing, Observation, PodObservation } from "../explain/observation.ts";
import type { Connection } from "./connect.ts";
import { listNodes, type NodeList } from "./list-nodes.ts";
import { politely } from "./list-pace.ts";
import type { ListScope } from "./list-pages.ts";
import { listPods } from "./list-pods.ts";
import { toPodSnapshot } from "./pod-snapshot.ts";
import { toUserError } from "./request-failure.ts";

export type { ListScope } from "./list-pages.ts";

/** A part of a list: those of its pods that may have a container that is down. */
export interface ListedObservation extends Observation {
  /** How many pods have been looked at so far. */
  readonly seen: number;
  /** What came before is void: the list has become too old, and begins anew. */
  readonly startsOver: boolean;
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
  const polite = politely(connection);
  let nodes: Promise<NodeList> | null = null;
  let [seen, atMs] = [0, null as number | null];
  try {
    for await (const step of listPods(polite, scope)) {
      if (step.startsOver) [seen, atMs] = [0, null];
      seen += step.seen;
      atMs ??= step.serverClockMs;
      // Most lists find nothing, and need no nodes.
      if (step.pods.length > 0) nodes ??= listNodes(polite.ask);
      const known = nodes === null ? NO_NODES : await nodes;
      const pods = step.pods.map((raw) => observationOf(raw, known));
      const moment = { atMs: atMs ?? localNowMs, atBasis: atMs === null ? "local-clock" : "server-clock" } as const;
      yield { ...moment, pods, seen, startsOver: step.startsOver };
    }
  } catch (error) {
    throw toUserError(error, connection.server, connection.timeoutMs);
  }
}

const NO_NODES: NodeList = { nodes: new Map(), why: null };
const NOT_ASKED: readonly Missing[] = (["events", "node-events", "node-config"] as const).map((what) => ({
  what,
  why: "not-asked",
}));

function observationOf(raw: unknown, { nodes, why }: NodeList): PodObservation {
  const pod = toPodSnapshot(raw);
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
  };
}
