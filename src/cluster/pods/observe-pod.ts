import type { PodObservation } from "../../explain/observed/observation.ts";
import { type EventList, eventsOf } from "../api/list-events.ts";
import type { Connection } from "../connection/connection.ts";
import { eventUidsOf } from "../objects/event.ts";
import { observeOwners, ownersByReference } from "../owners/owner-chain.ts";
import type { ObjectSource } from "../owners/workload-source.ts";
import { type ConfigReader, configOf } from "./observe-config.ts";
import { type LogsRequest, observeLogs } from "./observe-logs.ts";
import type { NeedReader } from "./observe-needs.ts";
import { missing, NO_NODE, NODE_NOT_ASKED, type NodeObservation } from "./observe-node.ts";
import type { ChosenPod } from "./target-choice.ts";

export interface Surroundings {
  readonly connection: Connection;
  readonly source: ObjectSource;
  readonly atMs: number;
  events(namespace: string, name: string): Promise<EventList>;
  node(name: string): Promise<NodeObservation>;
  readonly config: ConfigReader;
  readonly needs: NeedReader;
  readonly logs: LogsRequest | undefined;
  readonly toLog: ReadonlySet<ChosenPod>;
}

export async function observePod(chosen: ChosenPod, around: Surroundings): Promise<PodObservation> {
  const { raw, pod, isFine, isNamed } = chosen;
  const nodeOf = (name: string) => (isFine && !isNamed ? NODE_NOT_ASKED : around.node(name));
  const [events, node, owners, { logs, needs }, sources] = await Promise.all([
    around.events(pod.namespace, pod.name),
    pod.nodeName === null ? NO_NODE : nodeOf(pod.nodeName),
    isFine ? ownersByReference(raw) : observeOwners(around.source, raw),
    readLogs(chosen, around),
    isFine ? [] : around.config(pod),
  ]);
  const own = eventsOf(events, eventUidsOf(raw));
  const objects = [{ kind: "Pod", raw }, ...own.objects];
  const config = configOf(sources, [...objects, ...(owners?.objects ?? [])]);
  return {
    ...node,
    pod,
    earlier: [],
    events: own.events,
    objects: [...objects, ...(node.objects ?? [])],
    missing: [...missing("events", events.why), ...node.missing],
    ...(owners !== undefined && { owners }),
    ...(config !== undefined && { config }),
    ...(logs !== undefined && { logs }),
    ...(needs.length > 0 && { needs }),
  };
}

async function readLogs(chosen: ChosenPod, { logs: request, toLog, connection, needs, atMs }: Surroundings) {
  if (request === undefined || !toLog.has(chosen)) return { logs: undefined, needs: [] };
  const logs = await observeLogs(connection, chosen.pod, request, atMs);
  return { logs, needs: await needs(chosen.pod, logs) };
}
