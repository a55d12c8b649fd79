import { formatElapsed } from "../../src/render/page/durations.ts";
import type { Raw } from "./container-statuses.ts";
import { column } from "./node-columns.ts";

/** Columns of priority 1 appear only with `-o wide`. */
export const POD_COLUMNS: readonly Raw[] = [
  column(
    "Name",
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
    { format: "name" },
  ),
  column("Ready", "The aggregate readiness state of this pod for accepting traffic."),
  column("Status", "The aggregate status of the containers in this pod."),
  column(
    "Restarts",
    "The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.",
  ),
  column(
    "Age",
    "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
  ),
  column(
    "IP",
    "podIP address allocated to the pod. Routable at least within the cluster. Empty if not yet allocated.",
    { priority: 1 },
  ),
  column(
    "Node",
    "NodeName indicates in which node this pod is scheduled. If empty, this pod is a candidate for scheduling by the scheduler defined in schedulerName. Once this field is set, the kubelet for this node becomes responsible for the lifecycle of this pod. This field should not be used to express a desire for the pod to be scheduled on a specific node. https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename",
    { priority: 1 },
  ),
  column(
    "Nominated Node",
    "nominatedNodeName is set only when this pod preempts other pods on the node, but it cannot be scheduled right away as preemption victims receive their graceful termination periods. This field does not guarantee that the pod will be scheduled on this node. Scheduler may decide to place the pod elsewhere if other nodes become available sooner. Scheduler may also decide to give the resources on this node to a higher priority pod that is created after preemption. As a result, this field may be different than PodSpec.nodeName when the pod is scheduled.",
    { priority: 1 },
  ),
  column(
    "Readiness Gates",
    'If specified, all readiness gates will be evaluated for pod readiness. A pod is ready when all its containers are ready AND all conditions specified in the readiness gates have status equal to "True" More info: https://git.k8s.io/enhancements/keps/sig-network/580-pod-readiness-gates',
    { priority: 1 },
  ),
];

interface Container {
  readonly name: string;
  readonly restartPolicy?: string;
}

interface Terminated {
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly finishedAt?: string;
}

interface Status {
  readonly name: string;
  readonly restartCount: number;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly state: {
    readonly waiting?: { reason?: string };
    readonly running?: object;
    readonly terminated?: Terminated;
  };
  readonly lastState?: { readonly terminated?: Terminated };
}

interface Pod {
  readonly metadata: { name: string; creationTimestamp?: string; deletionTimestamp?: string };
  readonly spec: { containers: Container[]; initContainers?: Container[]; nodeName?: string };
  readonly status: {
    phase?: string;
    reason?: string;
    conditions?: { type: string; status: string; reason?: string }[];
    podIP?: string;
    initContainerStatuses?: Status[];
    containerStatuses?: Status[];
  };
}

interface Count {
  reason: string;
  ready: number;
  restarts: number;
  lastExitMs: number;
}

/** Mirrors `printPod` (v1.37.1, pkg/printers/internalversion/printers.go); readiness gates and nominations are left out. */
export function podCells(raw: Raw, nowMs: number): string[] {
  const pod = raw as unknown as Pod;
  const { metadata, spec, status } = pod;
  const sidecars = new Set(
    (spec.initContainers ?? []).filter((one) => one.restartPolicy === "Always").map(({ name }) => name),
  );
  const isGated = status.conditions?.some(
    ({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated",
  );
  const start: Count = {
    reason: isGated ? "SchedulingGated" : (status.reason ?? status.phase ?? ""),
    ready: 0,
    restarts: 0,
    lastExitMs: 0,
  };
  const { isInitializing, count, ofSidecars } = countInits(pod, sidecars, start);
  const isInitialized = !isInitializing || hasCondition(pod, "Initialized");
  const { reason, ready, restarts, lastExitMs } = isInitialized ? countApps(pod, { ...count, ...ofSidecars }) : count;
  const age = (atMs: number): string => formatElapsed(nowMs - atMs);
  return [
    metadata.name,
    `${ready}/${spec.containers.length + sidecars.size}`,
    metadata.deletionTimestamp === undefined ? reason : reasonOfDeleted(pod, reason),
    restarts > 0 && lastExitMs > 0 ? `${restarts} (${age(lastExitMs)} ago)` : `${restarts}`,
    metadata.creationTimestamp === undefined ? "<unknown>" : age(Date.parse(metadata.creationTimestamp)),
    status.podIP ?? "<none>",
    spec.nodeName ?? "<none>",
    "<none>",
    "<none>",
  ];
}

type Inits = { isInitializing: boolean; count: Count; ofSidecars: Pick<Count, "restarts" | "lastExitMs"> };

function countInits({ spec, status }: Pod, sidecars: ReadonlySet<string>, start: Count): Inits {
  const count = { ...start };
  const ofSidecars = { restarts: 0, lastExitMs: 0 };
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    const isSidecar = sidecars.has(container.name);
    addRestarts(count, container);
    if (isSidecar) addRestarts(ofSidecars, container);
    const { terminated, waiting } = container.state;
    if (terminated?.exitCode === 0) continue;
    if (isSidecar && container.started) {
      if (container.ready) count.ready++;
      continue;
    }
    if (terminated !== undefined) count.reason = `Init:${reasonOfExit(terminated)}`;
    else if (waiting?.reason && waiting.reason !== "PodInitializing") count.reason = `Init:${waiting.reason}`;
    else count.reason = `Init:${index}/${spec.initContainers?.length ?? 0}`;
    return { isInitializing: true, count, ofSidecars };
  }
  return { isInitializing: false, count, ofSidecars };
}

function countApps(pod: Pod, start: Count): Count {
  const count = { ...start };
  let isAnyRunning = false;
  let error = "";
  for (const container of (pod.status.containerStatuses ?? []).toReversed()) {
    addRestarts(count, container);
    const { waiting, terminated, running } = container.state;
    if (waiting?.reason) count.reason = waiting.reason;
    else if (terminated !== undefined) {
      count.reason = reasonOfExit(terminated);
      if (terminated.exitCode !== 0) error = count.reason;
    } else if (container.ready && running !== undefined) {
      isAnyRunning = true;
      count.ready++;
    }
  }
  if (count.reason !== "Completed") return count;
  if (isAnyRunning && hasCondition(pod, "Ready")) return { ...count, reason: "Running" };
  return { ...count, reason: error || (isAnyRunning ? "NotReady" : count.reason) };
}

function addRestarts(count: Pick<Count, "restarts" | "lastExitMs">, { restartCount, lastState }: Status): void {
  count.restarts += restartCount;
  count.lastExitMs = Math.max(count.lastExitMs, Date.parse(lastState?.terminated?.finishedAt ?? "") || 0);
}

function reasonOfExit({ reason, signal, exitCode }: Terminated): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

function reasonOfDeleted({ status }: Pod, reason: string): string {
  if (status.reason === "NodeLost") return "Unknown";
  return status.phase === "Succeeded" || status.phase === "Failed" ? reason : "Terminating";
}

function hasCondition({ status }: Pod, wanted: string): boolean {
  return status.conditions?.some(({ type, status: value }) => type === wanted && value === "True") ?? false;
}
