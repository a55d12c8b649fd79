import { podOf } from "../../lab/recordings/recorded-moment.ts";
import type { Recording } from "../../lab/recordings/recordings.ts";
import type { ContainerStatus, TerminatedState } from "../../src/explain/observed/observation.ts";
import { delayMsInMessage } from "../../src/kubelet/event-messages.ts";

/** A containerID, as the whole recording shows it. */
export interface Instance {
  readonly id: string;
  /** Null if unknown, also if the status dates the start to 1970. */
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  /** The end of a run without a known start, because the start failed. */
  readonly failedAtMs: number | null;
  readonly exitSeenAtMs: number | null;
  /** The delay in the kubelet's message after the exit; null if the recording has no such message. */
  readonly delayMs: number | null;
}

export interface RecordedContainer {
  readonly uid: string;
  readonly name: string;
  readonly scenario: string;
  readonly instances: readonly Instance[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An exit record without a containerID is no instance. */
export function recordedContainersOf(recording: Recording): RecordedContainer[] {
  const containers = new Map<
    string,
    Omit<RecordedContainer, "instances"> & { instances: Map<string, Mutable<Instance>> }
  >();
  for (const line of recording.lines) {
    if (line.kind !== "Pod") continue;
    const pod = podOf(line);
    const uid = pod.uid ?? "";
    for (const status of pod.statuses) {
      const key = `${uid} ${status.name}`;
      const scenario = scenarioOf(recording.pod, pod.owner);
      const container = containers.get(key) ?? { uid, name: status.name, scenario, instances: new Map() };
      containers.set(key, container);
      noteStatus(container.instances, status, line.atMs);
    }
  }
  return [...containers.values()].map(({ instances, ...rest }) => ({ ...rest, instances: [...instances.values()] }));
}

function noteStatus(instances: Map<string, Mutable<Instance>>, status: ContainerStatus, arrivedAtMs: number): void {
  if (status.lastState !== null) noteExit(instances, status.lastState, arrivedAtMs);
  const { state, containerID } = status;
  if (state?.kind === "terminated") noteExit(instances, state, arrivedAtMs);
  if (state?.kind === "running" && containerID !== null) {
    const instance = instanceOf(instances, containerID);
    instance.startedAtMs = state.startedAtMs ?? instance.startedAtMs;
  }
  if (state?.kind === "waiting" && containerID !== null && instances.has(containerID)) {
    const instance = instanceOf(instances, containerID);
    if (instance.exitSeenAtMs !== null) instance.delayMs ??= delayMsInMessage(state.message);
  }
}

function noteExit(instances: Map<string, Mutable<Instance>>, exit: TerminatedState, arrivedAtMs: number): void {
  if (exit.containerID === null) return;
  const instance = instanceOf(instances, exit.containerID);
  instance.startedAtMs ??= exit.startedAtMs;
  instance.finishedAtMs ??= exit.finishedAtMs;
  if (instance.startedAtMs === null) instance.failedAtMs ??= exit.finishedAtMs;
  instance.exitSeenAtMs ??= arrivedAtMs;
}

function instanceOf(instances: Map<string, Mutable<Instance>>, id: string): Mutable<Instance> {
  const unknown = { startedAtMs: null, finishedAtMs: null, failedAtMs: null, exitSeenAtMs: null, delayMs: null };
  const instance = instances.get(id) ?? { id, ...unknown };
  instances.set(id, instance);
  return instance;
}

/** Equal for all replicas of a workload on all nodes. */
function scenarioOf(pod: string, owner: { readonly kind: string; readonly name: string } | null): string {
  if (owner === null) return pod;
  if (owner.kind === "ReplicaSet") return `${owner.name.replace(/-[^-]+$/, "")}-*`;
  if (owner.kind === "Job") return `${owner.name.replace(/-\d{8}$/, "")}-*`;
  return `${owner.name}-*`;
}
