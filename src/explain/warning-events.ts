import type { WarningEvent } from "./answer/explanation.ts";
import type { EventSnapshot, PodObservation } from "./observed/observation.ts";

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
