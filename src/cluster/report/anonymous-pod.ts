import type {
  ContainerSpec,
  ContainerState,
  ContainerStatus,
  PodSnapshot,
  TerminatedState,
} from "../../explain/observed/observation.ts";
import { oneOf } from "../untrusted.ts";
import { anonymousConditions, anonymousMessageOf, anonymousReasonOf } from "./anonymous-conditions.ts";
import { anonymousOwner, anonymousPodName } from "./anonymous-names.ts";
import { madeUpUid, type NameBook } from "./name-book.ts";

/** For documentation only (RFC 5737): whether there is an address is all that counts. */
const AN_ADDRESS = "192.0.2.1";

/** The phases of a pod that Kubernetes knows. */
export const PHASES = ["Pending", "Running", "Succeeded", "Failed", "Unknown"] as const;

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
    reason: anonymousReasonOf(pod.reason, book),
    message: anonymousMessageOf(pod.message, book),
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
      return {
        kind: "waiting",
        reason: anonymousReasonOf(state.reason, book),
        message: anonymousMessageOf(state.message, book),
      };
    case "terminated":
      return anonymousExit(state, book);
  }
}

function anonymousExit(exit: TerminatedState, book: NameBook): TerminatedState {
  return {
    kind: "terminated",
    exitCode: exit.exitCode,
    signal: exit.signal,
    reason: anonymousReasonOf(exit.reason, book),
    message: anonymousMessageOf(exit.message, book),
    startedAtMs: exit.startedAtMs,
    finishedAtMs: exit.finishedAtMs,
    containerID: idOf(exit.containerID, book),
  };
}

function idOf(id: string | null, book: NameBook): string | null {
  return book.replaceIfAny("container-id", id, (number) => `runtime://${number}`);
}
