import type { V1ContainerStateTerminated, V1ContainerStatus, V1Pod } from "@kubernetes/client-node";
import { formatElapsed } from "../../src/render/page/durations.ts";
import type { Raw } from "./container-statuses.ts";
import { column, NAME_COLUMN } from "./node-columns.ts";

export const POD_COLUMNS: readonly Raw[] = [
  NAME_COLUMN,
  ...["Ready", "Status", "Restarts", "Age"].map((name) => column(name)),
  ...["IP", "Node", "Nominated Node", "Readiness Gates"].map((name) => column(name, { priority: 1 })),
];

interface Count {
  reason: string;
  ready: number;
  restarts: number;
  lastExitMs: number;
}

/** See `printPod` (kubernetes v1.37.1, pkg/printers/internalversion/printers.go). */
export function podCells(raw: Raw, nowMs: number): string[] {
  const pod = raw as V1Pod;
  const { metadata = {}, spec = { containers: [] }, status = {} } = pod;
  const inits = spec.initContainers ?? [];
  const sidecars = new Set(inits.filter((one) => one.restartPolicy === "Always").map(({ name }) => name));
  const isGated = status.conditions?.some(
    ({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated",
  );
  const reasonAtStart = isGated ? "SchedulingGated" : (status.reason ?? status.phase ?? "");
  const start: Count = { reason: reasonAtStart, ready: 0, restarts: 0, lastExitMs: 0 };
  const { isInitializing, count, ofSidecars } = countInits(pod, sidecars, start);
  const isInitialized = !isInitializing || hasCondition(pod, "Initialized");
  const { reason, ready, restarts, lastExitMs } = isInitialized ? countApps(pod, { ...count, ...ofSidecars }) : count;
  const age = (atMs: number): string => formatElapsed(nowMs - atMs);
  return [
    metadata.name ?? "",
    `${ready}/${spec.containers.length + sidecars.size}`,
    metadata.deletionTimestamp === undefined ? reason : reasonOfDeleted(pod, reason),
    restarts > 0 && lastExitMs > 0 ? `${restarts} (${age(lastExitMs)} ago)` : `${restarts}`,
    metadata.creationTimestamp === undefined ? "<unknown>" : age(msOf(metadata.creationTimestamp)),
    status.podIP ?? "<none>",
    spec.nodeName ?? "<none>",
    "<none>",
    "<none>",
  ];
}

type Inits = { isInitializing: boolean; count: Count; ofSidecars: Pick<Count, "restarts" | "lastExitMs"> };

function countInits({ spec, status }: V1Pod, sidecars: ReadonlySet<string>, start: Count): Inits {
  const count = { ...start };
  const ofSidecars = { restarts: 0, lastExitMs: 0 };
  for (const [index, container] of (status?.initContainerStatuses ?? []).entries()) {
    const isSidecar = sidecars.has(container.name);
    addRestarts(count, container);
    if (isSidecar) addRestarts(ofSidecars, container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (isSidecar && container.started) {
      if (container.ready) count.ready++;
      continue;
    }
    if (terminated !== undefined) count.reason = `Init:${reasonOfExit(terminated)}`;
    else if (waiting?.reason && waiting.reason !== "PodInitializing") count.reason = `Init:${waiting.reason}`;
    else count.reason = `Init:${index}/${spec?.initContainers?.length ?? 0}`;
    return { isInitializing: true, count, ofSidecars };
  }
  return { isInitializing: false, count, ofSidecars };
}

function countApps(pod: V1Pod, start: Count): Count {
  const count = { ...start };
  let isAnyRunning = false;
  let error = "";
  for (const container of (pod.status?.containerStatuses ?? []).toReversed()) {
    addRestarts(count, container);
    const { waiting, terminated, running } = container.state ?? {};
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

function addRestarts(
  count: Pick<Count, "restarts" | "lastExitMs">,
  { restartCount, lastState }: V1ContainerStatus,
): void {
  count.restarts += restartCount;
  count.lastExitMs = Math.max(count.lastExitMs, msOf(lastState?.terminated?.finishedAt) || 0);
}

function reasonOfExit({ reason, signal, exitCode }: V1ContainerStateTerminated): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

function reasonOfDeleted({ status }: V1Pod, reason: string): string {
  if (status?.reason === "NodeLost") return "Unknown";
  return status?.phase === "Succeeded" || status?.phase === "Failed" ? reason : "Terminating";
}

function hasCondition({ status }: V1Pod, wanted: string): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === wanted && value === "True") ?? false;
}

/** client-node declares a Date, but these objects are plain JSON, in which a time is a text. */
function msOf(time: Date | undefined): number {
  return Date.parse(String(time));
}
