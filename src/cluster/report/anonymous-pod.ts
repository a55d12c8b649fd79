import type {
  Condition,
  ContainerSpec,
  ContainerState,
  ContainerStatus,
  EventSnapshot,
  NodeSnapshot,
  PodSnapshot,
  TerminatedState,
} from "../../explain/observation.ts";
import { oneOf } from "../untrusted.ts";
import { anonymousOwner, anonymousPodName } from "./anonymous-names.ts";
import { anonymousMessage } from "./known-messages.ts";
import { anonymousReason } from "./known-reasons.ts";
import { madeUpUid, type NameBook } from "./name-book.ts";

/** For documentation only (RFC 5737): whether there is an address is all that counts. */
const AN_ADDRESS = "192.0.2.1";

const PHASES = ["Pending", "Running", "Succeeded", "Failed", "Unknown"] as const;

/** The types of conditions that Kubernetes itself sets; others are somebody's own and bear on nothing. */
const CONDITION_TYPES: readonly string[] = [
  ...["Ready", "ContainersReady", "Initialized", "PodScheduled", "PodReadyToStartContainers", "DisruptionTarget"],
  ...["AllContainersRestarting", "Progressing", "Available", "ReplicaFailure", "Complete", "Failed", "Suspended"],
];

/** A version of a pod with nothing in it that names anything. Field by field: what is new has to be considered here. */
export function anonymousPod(pod: PodSnapshot, book: NameBook): PodSnapshot {
  return {
    namespace: book.replace("namespace", pod.namespace),
    name: anonymousPodName(pod.name, pod.owner, book),
    uid: book.replaceIfAny("uid", pod.uid, madeUpUid),
    generation: pod.generation,
    createdAtMs: pod.createdAtMs,
    deletionAtMs: pod.deletionAtMs,
    owner: pod.owner === null ? null : anonymousOwner(pod.owner, book),
    nodeName: book.replaceIfAny("node", pod.nodeName),
    restartPolicy: pod.restartPolicy,
    gracePeriodMs: pod.gracePeriodMs,
    hostNetwork: pod.hostNetwork,
    podIP: pod.podIP === null ? null : AN_ADDRESS,
    phase: oneOf(pod.phase, PHASES),
    reason: reasonOf(pod.reason, book),
    message: messageOf(pod.message, book),
    startedAtMs: pod.startedAtMs,
    conditions: anonymousConditions(pod.conditions, book),
    containers: pod.containers.map((spec) => anonymousSpec(spec, book)),
    statuses: pod.statuses.map((status) => anonymousStatus(status, book)),
  };
}

function anonymousSpec(spec: ContainerSpec, book: NameBook): ContainerSpec {
  return {
    name: book.replace("container", spec.name, (number) => `${spec.type}-${number}`),
    type: spec.type,
    image: book.replace("image", spec.image),
    imagePullPolicy: oneOf(spec.imagePullPolicy, ["Always", "IfNotPresent", "Never"]),
    restartPolicy: spec.restartPolicy,
    restartPolicyRules: spec.restartPolicyRules,
    livenessProbe: spec.livenessProbe,
    startupProbe: spec.startupProbe,
    hasPostStart: spec.hasPostStart,
  };
}

function anonymousStatus(status: ContainerStatus, book: NameBook): ContainerStatus {
  return {
    name: book.replace("container", status.name),
    restartCount: status.restartCount,
    containerID: idOf(status.containerID, book),
    imageID: book.replaceIfAny("image-id", status.imageID),
    started: status.started,
    ready: status.ready,
    state: status.state === null ? null : anonymousState(status.state, book),
    lastState: status.lastState === null ? null : anonymousExit(status.lastState, book),
  };
}

function anonymousState(state: ContainerState, book: NameBook): ContainerState {
  switch (state.kind) {
    case "running":
      return { kind: "running", startedAtMs: state.startedAtMs };
    case "waiting":
      return { kind: "waiting", reason: reasonOf(state.reason, book), message: messageOf(state.message, book) };
    case "terminated":
      return anonymousExit(state, book);
  }
}

function anonymousExit(exit: TerminatedState, book: NameBook): TerminatedState {
  return {
    kind: "terminated",
    exitCode: exit.exitCode,
    signal: exit.signal,
    reason: reasonOf(exit.reason, book),
    message: messageOf(exit.message, book),
    startedAtMs: exit.startedAtMs,
    finishedAtMs: exit.finishedAtMs,
    containerID: idOf(exit.containerID, book),
  };
}

/** Kubernetes' own conditions without what else was written into them. */
export function anonymousConditions(conditions: readonly Condition[], book: NameBook): readonly Condition[] {
  return conditions
    .filter(({ type }) => CONDITION_TYPES.includes(type))
    .map(({ type, status, reason, message, lastTransitionAtMs }) => ({
      type,
      status,
      reason: reasonOf(reason, book),
      message: messageOf(message, book),
      lastTransitionAtMs,
    }));
}

/** An event about a pod or a node. */
export function anonymousEvent(event: EventSnapshot, book: NameBook): EventSnapshot {
  return {
    name: book.replace("event", event.name),
    type: event.type,
    reason: anonymousReason(event.reason, book),
    message: anonymousMessage(event.message, book),
    container: book.replaceIfAny("container", event.container),
    createdAtMs: event.createdAtMs,
    count: event.count,
    firstAtMs: event.firstAtMs,
    lastAtMs: event.lastAtMs,
  };
}

/** A version as kubelets have it; a vendor's suffix belongs to it. */
const VERSION = /^v?\d{1,4}\.\d{1,4}(\.\d{1,4})?([-+.][\w.+-]{1,60})?$/;

/** A node: only whether it is ready, and its kubelet's version. */
export function anonymousNode(node: NodeSnapshot, book: NameBook): NodeSnapshot {
  const { kubeletVersion } = node;
  return {
    name: book.replace("node", node.name),
    uid: book.replaceIfAny("uid", node.uid, madeUpUid),
    kubeletVersion: kubeletVersion !== null && VERSION.test(kubeletVersion) ? kubeletVersion : null,
    conditions: anonymousConditions(
      node.conditions.filter(({ type }) => type === "Ready"),
      book,
    ),
  };
}

function idOf(id: string | null, book: NameBook): string | null {
  return book.replaceIfAny("container-id", id, (number) => `runtime://${number}`);
}

function reasonOf(reason: string | null, book: NameBook): string | null {
  return reason === null ? null : anonymousReason(reason, book);
}

function messageOf(message: string | null, book: NameBook): string | null {
  return message === null ? null : anonymousMessage(message, book);
}
