import type { KubeletTraits } from "../../kubelet/traits.ts";
import { quoted } from "../answer/excerpt.ts";
import type { Ending, WarningEvent } from "../answer/explanation.ts";
import type { EventSnapshot, PodObservation } from "../observed/observation.ts";

/** client-go's `EventSourceObjectSpamFilter`: 25 events, then one in 5 minutes (tools/record/events_cache.go, v0.37.1). */
const BURST = 25;
/** Once the burst is used up, the kubelet sends one event of this type about the pod in this time. */
export const EVENT_PERIOD_MS = 300_000;

/**
 * Whether the kubelet sent every event of this type about the pod: counts include the events that it held back, so it held
 * back none if they add up to less than the burst. False if there are no events.
 */
export function hasAllEvents({ events }: PodObservation, type: EventSnapshot["type"], traits: KubeletTraits): boolean {
  const sharing = traits.hasEventBurstPerType ? events.filter((event) => event.type === type) : events;
  const sent = sharing.reduce((sum, event) => sum + Math.max(1, event.count), 0);
  return events.length > 0 && sent < BURST;
}

/**
 * Why the pod failed or is being deleted: its status if it failed (evicted, rejected by the kubelet, out of time), else its
 * DisruptionTarget condition (k8s.io/api v0.37.1, core/v1/types.go). If the scheduler preempted the pod, the scheduler's event
 * names the pod that took its place.
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

const MOST_EVENTS = 10;

/**
 * A node's events that affect its pods: memory that ran out (the kubelet sends SystemOOM, the node problem detector OOMKilling),
 * evictions, and a kubelet or node that was away (kubernetes v1.37.1, pkg/kubelet/events/event.go, pkg/controller/nodelifecycle).
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

/** The newest 10 of the pod's Warning events and of its node's events since the pod was created, the newest first. */
export function warningEventsOf({ pod, events, nodeEvents }: PodObservation): WarningEvent[] {
  const ofPod = events.filter(({ type }) => type === "Warning").map((event) => warning(event, "Pod"));
  const ofNode = nodeEvents
    .filter(({ reason, lastAtMs }) => NODE_REASONS.includes(reason) && (lastAtMs ?? 0) >= (pod.createdAtMs ?? 0))
    .map((event) => warning(event, "Node"));
  return [...ofPod, ...ofNode].toSorted((a, b) => (b.lastAtMs ?? 0) - (a.lastAtMs ?? 0)).slice(0, MOST_EVENTS);
}

function warning(event: EventSnapshot, regarding: WarningEvent["regarding"]): WarningEvent {
  const { reason, message, container, count, firstAtMs, lastAtMs } = event;
  return { regarding, reason, message, container, count, firstAtMs, lastAtMs };
}
