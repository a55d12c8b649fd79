import type { Now } from "../../explain/observed/observation.ts";
import { oncePerKey } from "../api/fetched.ts";
import { type EventList, listEvents, podEvents } from "../api/list-events.ts";
import { dated } from "../api/server-clock.ts";
import { askedTargets, type Target, type TargetArguments } from "../api/target-words.ts";
import { bestEffort, type Connection } from "../connection/connection.ts";
import { requestCrowd } from "../owners/owner-chain.ts";
import { liveSource, type ObjectSource } from "../owners/workload-source.ts";
import { type FoundTargets, type TargetsObservation, targetsObservation } from "./found-targets.ts";
import { configReader } from "./observe-config.ts";
import type { LogsRequest } from "./observe-logs.ts";
import { liveNeeds, needReader } from "./observe-needs.ts";
import { type NodeConfig, type NodeObservation, observeNode } from "./observe-node.ts";
import { observePod, type Surroundings } from "./observe-pod.ts";
import { type ChosenPod, PodChoice, podsToLog } from "./target-choice.ts";
import { resolveTargets } from "./target-resolve.ts";

export interface TargetsRequest extends TargetArguments {
  readonly mostPods?: number;
  readonly nodeConfig: NodeConfig;
  /** The instant to explain; null for now. */
  readonly atMs: number | null;
  /** The local clock, for API servers that send no Date header. */
  readonly localNowMs: number;
  readonly logs?: LogsRequest | undefined;
  /** With several pods, the program reads the logs of at most this many, unless the user asks for logs. */
  readonly mostLogs?: number | undefined;
}

/** Throws if the selector or the only target fails. With several targets, their errors are in the result. */
export async function observeTargets(connection: Connection, request: TargetsRequest): Promise<TargetsObservation> {
  const asked = askedTargets(request);
  const withDate = dated(connection);
  const early = eventsOfOnlyPod(bestEffort(connection), asked.targets);
  // If the user names one pod, the program can explain the pod without the objects that `source` reads.
  const source = liveSource(early === null ? withDate : bestEffort(withDate));
  const now = (): Now => momentOf(withDate.newestDateMs(), request);
  const choice = new PodChoice(() => now().atMs, request.mostPods);
  const found: FoundTargets = { source, choice, failedJobs: [], notes: [] };
  const scope = { ...asked, namespace: request.allNamespaces ? null : connection.namespace };
  const failures = await resolveTargets({ ...found, connection: withDate }, scope);
  const moment = now();
  const chosen = choice.chosen();
  if (early !== null) for (const { raw, isFine } of chosen) if (!isFine) requestCrowd(source, raw);
  const around = surroundings(bestEffort(withDate), source, chosen, request, early, moment.atMs);
  const pods = await Promise.all(chosen.map((pod) => observePod(pod, around)));
  return targetsObservation(found, { ...moment, pods }, failures);
}

function momentOf(serverClockMs: number | null, { atMs, localNowMs }: TargetsRequest): Now {
  if (atMs !== null) return { atMs, atBasis: "flag" };
  if (serverClockMs !== null) return { atMs: serverClockMs, atBasis: "server-clock" };
  return { atMs: localNowMs, atBasis: "local-clock" };
}

/** Requests the events before the program has read the pod, to save a round trip. */
function eventsOfOnlyPod(connection: Connection, [only, ...others]: readonly Target[]): Promise<EventList> | null {
  if (only?.kind !== "Pod" || others.length > 0) return null;
  const events = listEvents(connection, { kind: "Pod", name: only.name, namespace: connection.namespace });
  // Handles a rejection that comes before the caller awaits the promise.
  events.catch(() => {});
  return events;
}

function surroundings(
  connection: Connection,
  source: ObjectSource,
  chosen: readonly ChosenPod[],
  { nodeConfig, logs, mostLogs }: TargetsRequest,
  early: Promise<EventList> | null,
  atMs: number,
): Surroundings {
  const nodeOnce = oncePerKey<NodeObservation>();
  const node = (name: string) => nodeOnce(name, () => observeNode(connection, name, nodeConfig));
  const pods = chosen.map(({ pod }) => pod);
  return {
    connection,
    source,
    atMs,
    events: early === null ? podEvents(connection, pods) : () => early,
    node,
    config: configReader(connection, chosen.length),
    needs: needReader(liveNeeds(connection, node), atMs),
    logs,
    toLog: logs?.isAsked === true ? new Set(chosen) : podsToLog(chosen, atMs, mostLogs),
  };
}
