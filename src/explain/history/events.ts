import type { KubeletTraits } from "../../kubelet/traits.ts";
import { quoted } from "../answer/excerpt.ts";
import { MOST_EVENTS, type PodEnding, type WarningEvent } from "../answer/explanation.ts";
import { hasFinished } from "../observed/lookups.ts";
import type { EventSnapshot, PodObservation } from "../observed/observation.ts";

/**
 * `defaultSpamBurst` and the inverse of `defaultSpamQPS` (client-go v0.37.1, tools/record/events_cache.go): limits on
 * the events that a kubelet sends about a pod.
 */
const EVENT_BURST = 25;
export const EVENT_PERIOD_MS = 300_000;
/**
 * Assumed: the API server still has events that are younger than this. By default, it keeps events for an hour
 * (kube-apiserver --event-ttl).
 */
export const EVENTS_SURELY_KEPT_MS = 45 * 60_000;

/** Infers from the events that the API still has whether the kubelet sent all its events of this type about the pod. */
export function hasAllEvents({ events }: PodObservation, type: EventSnapshot["type"], traits: KubeletTraits): boolean {
  const sharing = traits.hasEventBurstPerType ? events.filter((event) => event.type === type) : events;
  const sent = sharing.reduce((sum, event) => sum + Math.max(1, event.count), 0);
  return events.length > 0 && sent < EVENT_BURST;
}

/** About an image pull that backs off, the kubelet sends events with the reason BackOff, too, but of type Normal. */
export function isBackOffEvent({ reason, type }: EventSnapshot): boolean {
  return reason === "BackOff" && type === "Warning";
}

/**
 * Observed with v1.37.1: if all containers exit with 0 during an eviction, the pod's phase can be Succeeded. Then the
 * event of the eviction counts.
 */
export function endingOf({ pod, events }: PodObservation): PodEnding | null {
  const isSaid = pod.reason !== null || (pod.message ?? "") !== "";
  if (pod.phase !== "Succeeded" && isSaid) return ending(pod.reason ?? "", pod.message);
  const evicted = hasFinished(pod) ? events.find(({ reason }) => reason === EVICTED) : undefined;
  if (evicted !== undefined) return ending(evicted.reason, evicted.message);
  if (pod.phase !== "Failed" && pod.deletionAtMs === null) return null;
  const preempted = events.find(({ reason }) => reason === "Preempted");
  if (preempted !== undefined) return ending(preempted.reason, preempted.message);
  // `DisruptionTarget`, k8s.io/api v0.37.1, core/v1/types.go.
  const target = pod.conditions.find(({ type, status }) => type === "DisruptionTarget" && status === "True");
  return target === undefined ? null : ending(target.reason ?? target.type, target.message);
}

const EVICTED = "Evicted";

/**
 * Reasons with which the kubelet ends pods (v1.37.1, pkg/kubelet: eviction, active_deadline.go, preemption,
 * nodeshutdown). "Shutdown" is the older word for "Terminated" (v1.21.14, pkg/kubelet/nodeshutdown).
 */
const KUBELET_ENDINGS = [EVICTED, "DeadlineExceeded", "Preempting", "Terminated", "Shutdown"] as const;
export type KubeletEnding = (typeof KUBELET_ENDINGS)[number];

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
 * Reasons of events about node problems that can affect pods (v1.37.1, pkg/kubelet: events/event.go, oom, eviction).
 * OOMKilling is from the node problem detector.
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
