import { greatestOf } from "./max-min.ts";
import type {
  Condition,
  ContainerSpec,
  ContainerStatus,
  EventSnapshot,
  OwnerReference,
  PodObservation,
  PodSnapshot,
  TerminatedState,
} from "./observation.ts";

/** Returns "NAMESPACE/NAME", which only one pod has at a time. */
export function podKey({ namespace, name }: Pick<PodSnapshot, "namespace" | "name">): string {
  return `${namespace}/${name}`;
}

interface OfPod {
  readonly namespace: string;
  readonly pod: string;
}

export function podKeyOf({ namespace, pod }: OfPod): string {
  return podKey({ namespace, name: pod });
}

/** Returns a key of the pod's workload; of a pod without a workload, a key of the pod. */
export function workloadKey(one: OfPod & { readonly workload: OwnerReference | null }): string {
  const { namespace, pod, workload } = one;
  return JSON.stringify([namespace, workload === null ? pod : [workload.kind, workload.name]]);
}

export function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

export function statusOf({ statuses }: Pick<PodSnapshot, "statuses">, container: string): ContainerStatus | null {
  return statuses.find(({ name }) => name === container) ?? null;
}

export function lastEnded({ state, lastState }: Pick<ContainerStatus, "state" | "lastState">): TerminatedState | null {
  return state?.kind === "terminated" ? state : lastState;
}

/**
 * Returns the log that ends with the container's last exit; null if the kubelet has none. An ended instance stays the
 * current one until the state is "waiting", since v1.35 for a minute and more (`validateContainerLogStatus`, kubernetes
 * v1.37.1, pkg/kubelet/kubelet_pods.go).
 */
export function lastExitLog({ state, lastState }: ContainerStatus): "current" | "previous" | null {
  if (state?.kind === "terminated") return "current";
  // To restart all containers of a pod, the kubelet removes their instances, and their logs with them.
  return lastState === null || lastState.reason === "RestartingAllContainers" ? null : "previous";
}

/**
 * Returns a key that containers share if they belong to one controller and have ended alike, so that the log of one of
 * them stands for all.
 */
export function likenessOf({ namespace, name, owner, statuses }: PodSnapshot, container: string): string {
  const status = statusOf({ statuses }, container);
  const ended = status && lastEnded(status);
  const whose = owner === null ? name : [owner.kind, owner.name];
  return JSON.stringify([namespace, whose, container, ended?.exitCode, ended?.reason]);
}

/** Returns the pod's topmost known owner, e.g. a Deployment or CronJob; null if the pod has none. */
export function workloadOf({ pod, owners, workload }: PodObservation): OwnerReference | null {
  const known = workload === undefined ? (owners?.chain.at(-1) ?? pod.owner) : workload;
  return known && { kind: known.kind, name: known.name };
}

/** Whether the phase of the pod is final. Such a pod stays in the API, e.g. after an eviction. */
export function hasFinished({ phase }: Pick<PodSnapshot, "phase">): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/** Whether the pod is Ready only if the container is: an app container or a sidecar. */
export function countsForReady({ type }: Pick<ContainerSpec, "type">): boolean {
  return type === "app" || type === "sidecar";
}

/** Returns the numbers in kubectl's column READY, which counts app containers and sidecars. */
export function readinessOf({ containers, statuses }: Pick<PodSnapshot, "containers" | "statuses">) {
  const counting = new Set(containers.filter(countsForReady).map(({ name }) => name));
  return { ready: statuses.filter(({ name, ready }) => ready && counting.has(name)).length, all: counting.size };
}

export function conditionOf({ conditions }: Pick<PodSnapshot, "conditions">, wanted: string): Condition | undefined {
  return conditions.find(({ type }) => type === wanted);
}

/**
 * Returns the pod's condition Ready if only readiness gates keep the pod from Ready: all its containers are ready
 * (`GeneratePodReadyCondition`, pkg/kubelet/status/generate.go, v1.37.1). Else null.
 */
export function readyHeldByGates(pod: Pick<PodSnapshot, "conditions">): Condition | null {
  const ready = conditionOf(pod, "Ready");
  return ready?.status === "False" && ready.reason === "ReadinessGatesNotReady" ? ready : null;
}

/**
 * Returns when the kubelet accepted the pod; if unknown, when the pod was created. For a static pod, returns the
 * earlier of both instants, although its containers can be older: each start of its kubelet and each new copy in the
 * API changes one of these instants, but no restartCount.
 */
export function acceptedAtMs({ startedAtMs, createdAtMs, isStatic }: PodSnapshot): number | null {
  const isCreatedFirst = isStatic === true && createdAtMs !== null && createdAtMs < (startedAtMs ?? createdAtMs);
  return isCreatedFirst ? createdAtMs : (startedAtMs ?? createdAtMs);
}

export function instantsOf({ createdAtMs, startedAtMs, statuses }: PodSnapshot): number[] {
  const ofRuns = statuses.flatMap(({ state, lastState }) =>
    [lastState, state].flatMap((one) => {
      if (one === null || one.kind === "waiting") return [];
      return one.kind === "running" ? [one.startedAtMs] : [one.startedAtMs, one.finishedAtMs];
    }),
  );
  return [createdAtMs, startedAtMs, ...ofRuns].filter((atMs) => atMs !== null);
}

/** Returns the instant before which no container of the pod can have started; null if unknown, as for a static pod. */
export function oldestStartAtMs(pod: PodSnapshot): number | null {
  return pod.isStatic === true ? null : acceptedAtMs(pod);
}

/** Returns the pod's events about one container. */
export function containerEvents(
  container: string,
  { events }: Pick<PodObservation, "events">,
): readonly EventSnapshot[] {
  return events.filter((event) => event.container === container);
}

export function newestOf<T extends EventSnapshot>(events: readonly T[]): T | undefined {
  return events.toSorted((a, b) => (b.lastAtMs ?? 0) - (a.lastAtMs ?? 0))[0];
}

/** Returns the newest `lastAtMs` that is not after `untilMs`; 0 if there is none. */
export function newestAtMs(events: readonly EventSnapshot[], untilMs = Number.POSITIVE_INFINITY): number {
  const instants = events.map(({ lastAtMs }) => lastAtMs ?? 0);
  return greatestOf(
    instants.filter((atMs) => atMs <= untilMs),
    0,
  );
}
