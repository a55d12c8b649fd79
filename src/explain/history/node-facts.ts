import { quoted } from "../answer/excerpt.ts";
import type { NodeFact } from "../answer/explanation.ts";
import { acceptedAtMs, conditionOf, newestAtMs, notReadyOf } from "../observed/lookups.ts";
import type { Condition, NodeSnapshot, PodObservation } from "../observed/observation.ts";
import { kubeletRestarts } from "./resets.ts";

export function nodeFacts({ pod, node, nodeEvents }: PodObservation, sinceMs: number): NodeFact[] {
  const fromMs = Math.max(sinceMs, acceptedAtMs(pod) ?? sinceMs);
  const rebootedAtMs = newestAtMs(nodeEvents.filter(({ reason }) => reason === "Rebooted"));
  const restartedAtMs = kubeletRestarts(nodeEvents).at(-1) ?? 0;
  return [
    ...(node === null ? [] : factsOfNode(node)),
    ...(rebootedAtMs < fromMs ? [] : [{ kind: "reboot" as const, sinceMs: rebootedAtMs, what: "rebooted" }]),
    ...(restartedAtMs < fromMs
      ? []
      : [{ kind: "kubelet-restart" as const, sinceMs: restartedAtMs, what: "restarted its kubelet" }]),
  ];
}

/** Conditions that are True if something is wrong (`NodeConditionType`, k8s.io/api v0.37.1, core/v1/types.go). */
const PRESSURES = ["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"];

/** Node conditions that administrators set (`NodeConditionType`, k8s.io/api v0.37.1, core/v1/types.go). */
const LIFECYCLE = [
  { type: "DrainInProgress", kind: "draining", what: "is being drained" },
  { type: "Drained", kind: "draining", what: "is drained" },
  { type: "MaintenanceInProgress", kind: "maintenance", what: "is under maintenance" },
] as const;

function factsOfNode(node: NodeSnapshot): NodeFact[] {
  const notReady = notReadyOf(node);
  const pressures = PRESSURES.flatMap((type) => ifTrue(node, type, "pressure", `has ${type}`));
  const lifecycle = LIFECYCLE.flatMap(({ type, kind, what }) => ifTrue(node, type, kind, what));
  return [
    ...(notReady === null ? [] : [notReadyFact(notReady)]),
    ...pressures,
    ...lifecycle,
    ...cordon(node),
    ...evictingTaints(node),
  ];
}

function notReadyFact({ status, reason, message, lastTransitionAtMs }: Condition): NodeFact {
  const said =
    status === "Unknown" ? "its kubelet does not respond" : quoted(message ?? reason ?? "its kubelet says so");
  return { kind: "not-ready", sinceMs: lastTransitionAtMs, what: `is NotReady (${said})` };
}

function ifTrue(node: NodeSnapshot, type: string, kind: NodeFact["kind"], what: string): NodeFact[] {
  const condition = conditionOf(node, type);
  return condition?.status === "True" ? [{ kind, sinceMs: condition.lastTransitionAtMs, what }] : [];
}

/** `TaintNodeUnschedulable` (k8s.io/api v0.37.1, core/v1/well_known_taints.go), the taint of a cordoned node. */
const UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

function cordon({ isUnschedulable, taints = [] }: NodeSnapshot): NodeFact[] {
  const taint = taints.find(({ key }) => key === UNSCHEDULABLE);
  const isCordoned = isUnschedulable === true || taint !== undefined;
  return isCordoned ? [{ kind: "cordoned", sinceMs: taint?.addedAtMs ?? null, what: "is cordoned" }] : [];
}

/**
 * `TaintNodeNotReady` and `TaintNodeUnreachable` (k8s.io/api v0.37.1, core/v1/well_known_taints.go). They would usually
 * repeat the fact "not-ready".
 */
const NOT_READY_TAINTS: readonly string[] = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

function evictingTaints({ taints = [] }: NodeSnapshot): NodeFact[] {
  return taints
    .filter(({ key, effect }) => effect === "NoExecute" && !NOT_READY_TAINTS.includes(key))
    .map(({ key, addedAtMs }) => ({ kind: "tainted", sinceMs: addedAtMs, what: `has the taint ${key} (NoExecute)` }));
}
