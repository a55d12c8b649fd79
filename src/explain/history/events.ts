import type { KubeletTraits } from "../../kubelet/traits.ts";
import { quoted } from "../answer/excerpt.ts";
import type { Ending, WarningEvent } from "../answer/explanation.ts";
import type { EventSnapshot, PodObservation } from "../observed/observation.ts";

/** client-go's `EventSourceObjectSpamFilter`: 25 events at once, then one in 5 minutes (tools/record/events_cache.go, v0.37.1). */
const BURST = 25;

/**
 * Whether the kubelet can have sent every event of this type about the pod: counts include what it held back, so while
 * they add up to less than the burst it held back none. False also if there are no events to judge by.
 */
export function areEventsComplete(
  events: readonly EventSnapshot[],
  type: EventSnapshot["type"],
  { hasEventBurstPerType }: Pick<KubeletTraits, "hasEventBurstPerType">,
): boolean {
  const sharing = hasEventBurstPerType ? events.filter((event) => event.type === type) : events;
  const sent = sharing.reduce((sum, event) => sum + Math.max(1, event.count), 0);
  return events.length > 0 && sent < BURST;
}

/**
 * What has ended the pod: the status of one that failed (evicted, rejected by the kubelet, out of time), else its DisruptionTarget
 * condition (k8s.io/api v0.37.1, core/v1/types.go). Of a preemption the scheduler's event names who took the pod's place.
 */
export function endingOf({ pod, events }: PodObservation): Ending | null {
  if (pod.phase === "Failed" && pod.reason !== null) return ending(pod.reason, pod.message);
  if (pod.phase !== "Failed" && pod.deletionAtMs === null) return null;
  const preempted = events.find(({ reason }) => reason === "Preempted");
  if (preempted !== undefined) return ending(preempted.reason, preempted.message);
  const target = pod.conditions.find(({ type, status }) => type === "DisruptionTarget" && status === "True");
  return target === undefined ? null : ending(target.reason ?? target.type, target.message);
}

function ending(reason: string, message: string | null): Ending {
  return { reason, message: quoted(message ?? "") };
}

/** More events than this tell a reader nothing new. */
const MOST_EVENTS = 10;

/**
 * A node's events that bear on its pods: memory that ran out (SystemOOM is the kubelet's, OOMKilling the node problem
 * detector's), evictions, and a kubelet or a node that was away (kubernetes v1.37.1, pkg/kubelet/events/event.go,
 * pkg/controller/nodelifecycle).
 */
const NODE_REASONS: readonly string[] = [
  "SystemOOM",
  "OOMKilling",
  "EvictionThresholdMet",
  "FreeDiskSpaceFailed",
  "ImageGCFailed",
  "ContainerGCFailed",
  "Rebooted",
  "NodeNotReady",
];

/** The pod's Warning events, and those of its node that bear on it, since the pod was created; the newest first. */
export function warningEventsOf({ pod, events, nodeEvents }: PodObservation): WarningEvent[] {
  const ofPod = events.filter(({ type }) => type === "Warning").map((event) => told(event, "Pod"));
  const ofNode = nodeEvents
    .filter(({ reason, lastAtMs }) => NODE_REASONS.includes(reason) && (lastAtMs ?? 0) >= (pod.createdAtMs ?? 0))
    .map((event) => told(event, "Node"));
  return [...ofPod, ...ofNode].toSorted((a, b) => (b.lastAtMs ?? 0) - (a.lastAtMs ?? 0)).slice(0, MOST_EVENTS);
}

function told(
  { reason, message, container, count, firstAtMs, lastAtMs }: EventSnapshot,
  regarding: WarningEvent["regarding"],
): WarningEvent {
  return { regarding, reason, message, container, count, firstAtMs, lastAtMs };
}
