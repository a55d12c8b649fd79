import type { Missing, Observation, PodObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import type { Connection } from "../connection/connection.ts";
import { controllerOf, inferredParent } from "../objects/owner-reference.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import { NO_NODE } from "../pods/observe-node.ts";
import { type NodeList, nodeReader } from "./list-nodes.ts";
import type { ListScope } from "./list-pages.ts";
import { type ListStep, listPods, type OnSuspects } from "./list-pods.ts";

export interface ListedObservation extends Observation, Pick<ListStep, "all" | "up" | "startsOver"> {
  readonly podsRead: number;
  /** The resourceVersion of the list, from which the caller can start a watch. */
  readonly version: string | null;
}

export interface ListRequest {
  readonly localNowMs: number;
  readonly nodes?: ReturnType<typeof nodeReader>;
  readonly onSuspects?: OnSuspects;
}

/** Throws a RequestFailure if the program cannot list the pods. A failure to read nodes can only show in `missing`. */
export async function* observeList(
  connection: Connection,
  scope: ListScope,
  { localNowMs, nodes = nodeReader(connection), onSuspects }: ListRequest,
): AsyncGenerator<ListedObservation> {
  let [podsRead, atMs, version] = [0, null as number | null, null as string | null];
  // Begins to read the nodes early, to save a round trip.
  const suspected: OnSuspects = (rows) => {
    nodes(rows.length === 0 ? null : namesIn(rows)).catch(() => {});
    onSuspects?.(rows);
  };
  for await (const step of listPods(connection, scope, suspected)) {
    if (step.startsOver) [podsRead, atMs, version] = [0, null, null];
    podsRead += step.all.length;
    atMs ??= step.serverClockMs;
    version ??= step.version;
    const read = step.pods.map((raw) => ({ raw, pod: toPodSnapshot(raw) }));
    const known = read.length > 0 ? await nodes(namesIn(read.map(({ pod }) => pod))) : null;
    const pods = known === null ? [] : read.map(({ raw, pod }) => listedPod(pod, raw, known));
    const moment = { atMs: atMs ?? localNowMs, atBasis: atMs === null ? "local-clock" : "server-clock" } as const;
    yield { ...moment, pods, podsRead, all: step.all, up: step.up, startsOver: step.startsOver, version };
  }
}

function namesIn(pods: readonly Pick<PodSnapshot, "nodeName">[]): string[] {
  return [...new Set(pods.flatMap(({ nodeName }) => nodeName ?? []))];
}

const UNREAD_IN_LISTS = (["events", "node-events", "node-config"] as const).map(
  (what) => ({ what, why: "not-asked" }) as const,
);

export function listedPod(pod: PodSnapshot, raw: unknown, { nodes, why }: NodeList): PodObservation {
  const controller = controllerOf(raw);
  const node = (pod.nodeName === null ? null : nodes.get(pod.nodeName)) ?? null;
  const noNode: Missing[] = node !== null || pod.nodeName === null ? [] : [{ what: "node", why: why ?? "not-found" }];
  return {
    ...NO_NODE,
    pod,
    node,
    earlier: [],
    events: [],
    missing: [...noNode, ...UNREAD_IN_LISTS],
    workload: controller && (inferredParent(raw, controller) ?? { kind: controller.kind, name: controller.name }),
  };
}
