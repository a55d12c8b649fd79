import type { EventSnapshot, KubeletConfig, NodeSnapshot, PodSnapshot } from "../../explain/observed/observation.ts";
import { formatGoDuration } from "../../kubelet/go-duration.ts";
import { conditionObject, timeOf } from "./condition-object.ts";

/** The inverse of `toEventSnapshot`, about a pod; without a UID it belongs to the pod of its name. */
export function podEventObject(event: EventSnapshot, pod: PodSnapshot): object {
  const { namespace, name } = pod;
  const type = pod.containers.find((spec) => spec.name === event.container)?.type;
  const field = { init: "initContainers", sidecar: "initContainers", ephemeral: "ephemeralContainers" }[type as "init"];
  const fieldPath = event.container === null ? undefined : `spec.${field ?? "containers"}{${event.container}}`;
  return eventObject(event, namespace, { kind: "Pod", namespace, name, fieldPath });
}

/** The same about a node. */
export function nodeEventObject(event: EventSnapshot, node: string): object {
  return eventObject(event, "default", { kind: "Node", name: node });
}

function eventObject(event: EventSnapshot, namespace: string, involvedObject: object): object {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: event.name, namespace, creationTimestamp: timeOf(event.createdAtMs) },
    involvedObject,
    type: event.type,
    reason: event.reason,
    message: event.message,
    count: event.count,
    firstTimestamp: timeOf(event.firstAtMs),
    lastTimestamp: timeOf(event.lastAtMs),
  };
}

/** The inverse of `toNodeSnapshot`. */
export function nodeObject({ name, uid, kubeletVersion, conditions }: NodeSnapshot): object {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, uid: uid ?? undefined },
    status: { nodeInfo: { kubeletVersion: kubeletVersion ?? undefined }, conditions: conditions.map(conditionObject) },
  };
}

/** The inverse of `toKubeletConfig`: what /configz answers. */
export function configObject({ maxContainerRestartPeriodMs, featureGates, syncFrequencyMs }: KubeletConfig): object {
  const duration = (ms: number | null): string | undefined => (ms === null ? undefined : formatGoDuration(ms));
  const maxContainerRestartPeriod = duration(maxContainerRestartPeriodMs);
  return {
    kubeletconfig: {
      syncFrequency: duration(syncFrequencyMs),
      ...(maxContainerRestartPeriod !== undefined && { crashLoopBackOff: { maxContainerRestartPeriod } }),
      featureGates,
    },
  };
}
