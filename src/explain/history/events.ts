import type { KubeletTraits } from "../../kubelet/traits.ts";
import { quoted } from "../answer/excerpt.ts";
import { MOST_EVENTS, type PodEnding, type WarningEvent } from "../answer/explanation.ts";
import { hasFinished } from "../observed/lookups.ts";
import type { EventSnapshot, PodObservation } from "../observed/observation.ts";

/** The events about a pod that client-go's spam filter lets pass at first (tools/record/events_cache.go, v0.37.1). */
const BURST = 25;
/** After its first 25 events about a pod, the kubelet sends one more in each period of this length. */
export const EVENT_PERIOD_MS = 300_000;

/**
 * Whether the kubelet sent every event of this type about the pod. An event that it holds back still raises the count
 * of the next one that it sends.
 */
export function hasAllEvents({ events }: PodObservation, type: EventSnapshot["type"], traits: KubeletTraits): boolean {
  const sharing = traits.hasEventBurstPerType ? events.filter((event) => event.type === type) : events;
  const sent = sharing.reduce((sum, event) => sum + Math.max(1, event.count), 0);
  return events.length > 0 && sent < BURST;
}

/**
 * Returns why the pod failed, was evicted, is being deleted or is about to end; null if the API does not show it. Reads the reason and
 * message of the pod's status, else the Evicted event, the scheduler's Preempted event and the condition
 * DisruptionTarget (k8s.io/api v0.37.1, core/v1/types.go), in this order. If every container exits with 0 as the
 * kubelet evicts a pod, its phase is Succeeded (observed with v1.37.1), and only the event shows the eviction.
 */
export function endingOf({ pod, events }: PodObservation): PodEnding | null {
  const isSaid = pod.reason !== null || (pod.message ?? "") !== "";
  if (pod.phase !== "Succeeded" && isSaid) return ending(pod.reason ?? "", pod.message);
  const evicted = hasFinished(pod) ? events.find(({ reason }) => reason === EVICTED) : undefined;
  if (evicted !== undefined) return ending(evicted.reason, evicted.message);
  if (pod.phase !== "Failed" && pod.deletionAtMs === null) return null;
  const preempted = events.find(({ reason }) => reason === "Preempted");
  if (preempted !== undefined) return ending(preempted.reason, preempted.message);
  const target = pod.conditions.find(({ type, status }) => type === "DisruptionTarget" && status === "True");
  return target === undefined ? null : ending(target.reason ?? target.type, target.message);
}

/** The kubelet's reason for a pod that it ended to free resources, in the pod's status and in an event. */
const EVICTED = "Evicted";

/**
 * The reasons of pods whose running containers the kubelet stops, in the pod's status (v1.37.1, pkg/kubelet: eviction,
 * active_deadline.go, preemption, nodeshutdown; until v1.21 the last was "Shutdown").
 */
const KUBELET_ENDINGS = [EVICTED, "DeadlineExceeded", "Preempting", "Terminated", "Shutdown"] as const;
export type KubeletEnding = (typeof KUBELET_ENDINGS)[number];

/** Returns the reason for which the kubelet ended the pod, and since when; null if it did not, or not for a known one. */
export function kubeletEndingOf(observed: PodObservation): { reason: KubeletEnding; sinceMs: number | null } | null {
  const said = endingOf(observed)?.reason;
  const reason = KUBELET_ENDINGS.find((one) => one === said);
  if (reason === undefined) return null;
  const event = observed.events.find((one) => one.reason === reason);
  const target = observed.pod.conditions.find((one) => one.type === "DisruptionTarget");
  return { reason, sinceMs: event?.firstAtMs ?? target?.lastTransitionAtMs ?? null };
}

function ending(reason: string, message: string | null): PodEnding {
  return { reason, message: quoted(message ?? "") };
}

/**
 * The reasons of node events that affect pods (v1.37.1, pkg/kubelet/events/event.go, pkg/controller/nodelifecycle). If
 * the node's memory runs out, the kubelet sends SystemOOM, and the node problem detector sends OOMKilling.
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

/** Returns the 10 newest events, newest first, among the pod's Warning events and `NODE_REASONS` since its creation. */
export function warningEventsOf(observed: PodObservation, traits: KubeletTraits): WarningEvent[] {
  const { pod, events, nodeEvents } = observed;
  const isLowerBound = !hasAllEvents(observed, "Warning", traits);
  const ofPod = events
    .filter(({ type }) => type === "Warning")
    .map((event) => ({ ...warning(event, "Pod"), ...(isLowerBound && { isLowerBound }) }));
  const ofNode = nodeEvents
    .filter(({ reason, lastAtMs }) => NODE_REASONS.includes(reason) && (lastAtMs ?? 0) >= (pod.createdAtMs ?? 0))
    .map((event) => warning(event, "Node"));
  return [...ofPod, ...ofNode].toSorted((a, b) => (b.lastAtMs ?? 0) - (a.lastAtMs ?? 0)).slice(0, MOST_EVENTS);
}

function warning(event: EventSnapshot, regarding: WarningEvent["regarding"]): WarningEvent {
  const { reason, message, container, count, firstAtMs, lastAtMs } = event;
  return { regarding, reason, message, container, count, firstAtMs, lastAtMs };
}
