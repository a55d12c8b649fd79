import type {
  ContainerSpec,
  ContainerState,
  ContainerStatus,
  ContainerType,
  PodSnapshot,
  Probe,
  TerminatedState,
} from "../../explain/observed/observation.ts";
import { conditionObject, timeOf } from "./condition-object.ts";

/** Labels and the like, which a snapshot does not have. */
export interface PodExtras {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Of several versions of a pod the newest has the highest. */
  readonly resourceVersion?: string;
}

/** The inverse of `toPodSnapshot`: a Pod object that says the same. */
export function podObject(pod: PodSnapshot, { labels, annotations, resourceVersion }: PodExtras = {}): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: pod.name,
      namespace: pod.namespace,
      uid: pod.uid ?? undefined,
      resourceVersion,
      generation: pod.generation ?? undefined,
      creationTimestamp: timeOf(pod.createdAtMs),
      deletionTimestamp: timeOf(pod.deletionAtMs),
      labels,
      annotations,
      ownerReferences: pod.owner === null ? undefined : [{ ...pod.owner, controller: true }],
    },
    spec: {
      nodeName: pod.nodeName ?? undefined,
      restartPolicy: pod.restartPolicy,
      terminationGracePeriodSeconds: pod.gracePeriodMs / 1000,
      hostNetwork: pod.hostNetwork || undefined,
      initContainers: specsOf(pod.containers, ["init", "sidecar"]),
      containers: specsOf(pod.containers, ["app"]),
      ephemeralContainers: specsOf(pod.containers, ["ephemeral"]),
    },
    status: {
      phase: pod.phase ?? undefined,
      reason: pod.reason ?? undefined,
      message: pod.message ?? undefined,
      podIP: pod.podIP ?? undefined,
      startTime: timeOf(pod.startedAtMs),
      conditions: pod.conditions.map(conditionObject),
      ...statusesOf(pod),
    },
  };
}

function specsOf(containers: readonly ContainerSpec[], types: readonly ContainerType[]): object[] | undefined {
  const found = containers.filter(({ type }) => types.includes(type));
  return found.length === 0 ? undefined : found.map(specObject);
}

function specObject(spec: ContainerSpec): object {
  return {
    name: spec.name,
    image: spec.image,
    imagePullPolicy: spec.imagePullPolicy ?? undefined,
    restartPolicy: spec.restartPolicy ?? undefined,
    restartPolicyRules:
      spec.restartPolicyRules.length === 0
        ? undefined
        : spec.restartPolicyRules.map(({ action, operator, exitCodes }) => {
            return { action, exitCodes: { operator, values: exitCodes } };
          }),
    livenessProbe: probeObject(spec.livenessProbe),
    startupProbe: probeObject(spec.startupProbe),
    lifecycle: spec.hasPostStart ? { postStart: {} } : undefined,
  };
}

function probeObject(probe: Probe | null): object | undefined {
  if (probe === null) return undefined;
  return {
    initialDelaySeconds: probe.initialDelayMs / 1000,
    periodSeconds: probe.periodMs / 1000,
    timeoutSeconds: probe.timeoutMs / 1000,
    failureThreshold: probe.failureThreshold,
    terminationGracePeriodSeconds: probe.gracePeriodMs === null ? undefined : probe.gracePeriodMs / 1000,
  };
}

/** A status of a container that the spec does not have goes with the app's. */
function statusesOf({ containers, statuses }: PodSnapshot): object {
  const typeOf = ({ name }: ContainerStatus): ContainerType => {
    return containers.find((spec) => spec.name === name)?.type ?? "app";
  };
  const ofType = (...types: ContainerType[]): object[] | undefined => {
    const found = statuses.filter((status) => types.includes(typeOf(status)));
    return found.length === 0 ? undefined : found.map(statusObject);
  };
  return {
    initContainerStatuses: ofType("init", "sidecar"),
    containerStatuses: ofType("app"),
    ephemeralContainerStatuses: ofType("ephemeral"),
  };
}

function statusObject(status: ContainerStatus): object {
  return {
    name: status.name,
    restartCount: status.restartCount,
    containerID: status.containerID ?? undefined,
    imageID: status.imageID ?? undefined,
    started: status.started ?? undefined,
    ready: status.ready,
    state: status.state === null ? {} : stateObject(status.state),
    lastState: status.lastState === null ? {} : stateObject(status.lastState),
  };
}

function stateObject(state: ContainerState): object {
  switch (state.kind) {
    case "running":
      return { running: { startedAt: timeOf(state.startedAtMs) } };
    case "waiting":
      return { waiting: { reason: state.reason ?? undefined, message: state.message ?? undefined } };
    case "terminated":
      return { terminated: exitObject(state) };
  }
}

function exitObject(exit: TerminatedState): object {
  return {
    exitCode: exit.exitCode,
    signal: exit.signal ?? undefined,
    reason: exit.reason ?? undefined,
    message: exit.message ?? undefined,
    startedAt: timeOf(exit.startedAtMs),
    finishedAt: timeOf(exit.finishedAtMs),
    containerID: exit.containerID ?? undefined,
  };
}
