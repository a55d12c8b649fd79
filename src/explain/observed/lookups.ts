import { isOfRestartAll } from "../../kubelet/exit-codes.ts";
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
 * While the state is "terminated", the log of the last exit is not the previous log, but the current log. See
 * `validateContainerLogStatus` (v1.37.1, pkg/kubelet/kubelet_pods.go).
 */
export function lastExitLog({ state, lastState }: ContainerStatus): "current" | "previous" | null {
  if (state?.kind === "terminated") return "current";
  // RestartAllContainers removes the instance, so `kubectl logs --previous` cannot read its log.
  return lastState === null || isOfRestartAll(lastState) ? null : "previous";
}

/** Returns one key for containers of one controller that have the same name, last exit code and reason of that exit. */
export function likenessOf({ namespace, name, owner, statuses }: PodSnapshot, container: string): string {
  const status = statusOf({ statuses }, container);
  const ended = status && lastEnded(status);
  const whose = owner === null ? name : [owner.kind, owner.name];
  return JSON.stringify([namespace, whose, container, ended?.exitCode, ended?.reason]);
}

export function workloadOf({ pod, owners, workload }: PodObservation): OwnerReference | null {
  const known = workload === undefined ? (owners?.chain.at(-1) ?? pod.owner) : workload;
  return known && { kind: known.kind, name: known.name };
}

export function hasFinished({ phase }: Pick<PodSnapshot, "phase">): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

export function countsForReady({ type }: Pick<ContainerSpec, "type">): boolean {
  return type === "app" || type === "sidecar";
}

export function isOnlyApp(container: string, { containers }: Pick<PodSnapshot, "containers">): boolean {
  const apps = containers.filter(({ type }) => type === "app");
  return apps.length === 1 && apps[0]?.name === container;
}

/** Like kubectl's column READY, counts only app containers and sidecars. */
export function readinessOf({ containers, statuses }: Pick<PodSnapshot, "containers" | "statuses">) {
  const counting = new Set(containers.filter(countsForReady).map(({ name }) => name));
  return { ready: statuses.filter(({ name, ready }) => ready && counting.has(name)).length, all: counting.size };
}

export function conditionOf({ conditions }: Pick<PodSnapshot, "conditions">, wanted: string): Condition | undefined {
  return conditions.find(({ type }) => type === wanted);
}

export function falseSinceMs(of: Pick<PodSnapshot, "conditions">, wanted: string): number | null {
  const condition = conditionOf(of, wanted);
  return condition?.status === "False" ? condition.lastTransitionAtMs : null;
}

export function notReadyOf(node: PodObservation["node"]): Condition | null {
  const ready = node === null ? undefined : conditionOf(node, "Ready");
  return ready === undefined || ready.status === "True" ? null : ready;
}

/**
 * Null unless the reason is ReadinessGatesNotReady, which a kubelet gives only if ContainersReady is True
 * (`GeneratePodReadyCondition`, v1.37.1, pkg/kubelet/status/generate.go).
 */
export function readyHeldByGates(pod: Pick<PodSnapshot, "conditions">): Condition | null {
  const ready = conditionOf(pod, "Ready");
  return ready?.status === "False" && ready.reason === "ReadinessGatesNotReady" ? ready : null;
}

/**
 * The containers of a static pod can have started before the returned time: a restart of the kubelet can change
 * `startedAtMs`, and a new copy of the pod in the API changes `createdAtMs`.
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

/** Null also for a static pod, because the pod's containers can be older than the pod's copy in the API. */
export function oldestStartAtMs(pod: PodSnapshot): number | null {
  return pod.isStatic === true ? null : acceptedAtMs(pod);
}

export function containerEvents(
  container: string,
  { events }: Pick<PodObservation, "events">,
): readonly EventSnapshot[] {
  return events.filter((event) => event.container === container);
}

export function newestOf<T extends EventSnapshot>(events: readonly T[]): T | undefined {
  return events.toSorted((a, b) => (b.lastAtMs ?? 0) - (a.lastAtMs ?? 0))[0];
}

export function newestAtMs(events: readonly EventSnapshot[], untilMs = Number.POSITIVE_INFINITY): number {
  const instants = events.map(({ lastAtMs }) => lastAtMs ?? 0);
  return greatestOf(
    instants.filter((atMs) => atMs <= untilMs),
    0,
  );
}
