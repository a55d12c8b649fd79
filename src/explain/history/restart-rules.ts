import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { RestartSpec } from "../../kubelet/restart-policy.ts";
import { conditionOf, statusOf, takenAtMs } from "../observed/lookups.ts";
import type { ContainerSpec, ContainerStatus, PodObservation, PodSnapshot } from "../observed/observation.ts";
import { type SeenRun, startOf } from "./runs.ts";

/** Whether RestartAllContainers started the container's present instance: the kubelet then found no exit and made no entry. */
export function hasRestartedAll(status: ContainerStatus | null): boolean {
  return status?.lastState?.reason === "RestartingAllContainers";
}

export function hasRestartAllRule({ containers }: PodSnapshot): boolean {
  return containers.some(mayRestartAll);
}

export function mayRestartAll({ restartPolicyRules }: ContainerSpec): boolean {
  return restartPolicyRules.some(({ action }) => action === "RestartAllContainers");
}

/** The containers with a RestartAllContainers rule whose last start was a restart of all. */
function triggersOf(pod: PodSnapshot): ContainerStatus[] {
  return pod.containers
    .filter(mayRestartAll)
    .map(({ name }) => statusOf(pod, name))
    .filter((status) => status !== null)
    .filter(hasRestartedAll);
}

function latestStartOf({ state }: ContainerStatus): number | null {
  return state === null || state.kind === "waiting" ? null : state.startedAtMs;
}

export interface RestartAlls {
  readonly count: number;
  /** The average time from one restart of all to the next; null if unknown. */
  readonly paceMs: number | null;
}

/**
 * How often RestartAllContainers has restarted the pod's containers. Each of these restarts counts in every container's
 * restartCount, and takes no step of any curve: no exited instance is left (measured on v1.37.1).
 */
export function restartAllsOf({ pod }: PodObservation, { traits }: CrashLoopPolicy): RestartAlls {
  const triggers = traits.hasRestartAll ? triggersOf(pod) : [];
  const [latest] = triggers.toSorted((a, b) => b.restartCount - a.restartCount);
  if (latest === undefined) return { count: 0, paceMs: null };
  const count = latest.restartCount;
  const bornAtMs = takenAtMs(pod);
  const startedAtMs = latestStartOf(latest);
  return { count, paceMs: bornAtMs === null || startedAtMs === null ? null : (startedAtMs - bornAtMs) / count };
}

/** The chance, without other evidence, that a start in a pod with a RestartAllContainers rule was a restart of all. */
const UNTOLD = 0.1;
/** One sync starts all containers, one after the other. */
const ONE_SYNC_MS = 2_000;

/**
 * How sure it is, 0 to 1, that RestartAllContainers started this run: the kubelet then found no exited instance, did not wait,
 * and took no step of the curve. `from` is the run seen before.
 *
 * A container that runs as all are restarted keeps a made-up record of that. A container that waits keeps its real record:
 * only the pod's condition AllContainersRestarting shows the restart, False since the end of the latest restart of all, which
 * comes before the starts (measured on v1.37.1). Without the condition, the start of a container with such a rule shows it.
 * Older snapshots count as well.
 */
export function startedWithAll(
  run: SeenRun,
  from: SeenRun | undefined,
  container: string,
  observed: PodObservation,
  { traits }: CrashLoopPolicy,
): number {
  if (run.start === 0 || !traits.hasRestartAll || !hasRestartAllRule(observed.pod)) return 0;
  const snapshots = [...observed.earlier, observed.pod];
  const isOnRecord = snapshots.some((snapshot) => {
    const status = statusOf(snapshot, container);
    return status?.restartCount === run.start && hasRestartedAll(status);
  });
  if (isOnRecord) return 1;
  if (from === undefined || from.start + 1 !== run.start) return 0;
  const fromMs = from.finishedAtMs ?? startOf(from);
  const isBetween = (atMs: number | null) => atMs !== null && fromMs <= atMs && atMs <= startOf(run);
  const isInSync = (atMs: number | null) =>
    atMs !== null && fromMs <= atMs && Math.abs(atMs - startOf(run)) <= ONE_SYNC_MS;
  const isShown = snapshots.some((snapshot) =>
    conditionOf(snapshot, RESTARTING) === undefined
      ? triggersOf(snapshot).some((trigger) => isInSync(latestStartOf(trigger)))
      : isBetween(restartedAllAtMs(snapshot)),
  );
  const latestMs = restartedAllAtMs(observed.pod);
  return isShown ? 1 : latestMs !== null && latestMs < fromMs ? 0 : UNTOLD;
}

const RESTARTING = "AllContainersRestarting";

/** When the latest restart of all was over, or the pod new; null during a restart, and without the condition. */
function restartedAllAtMs(pod: PodSnapshot): number | null {
  const condition = conditionOf(pod, RESTARTING);
  return condition?.status === "False" ? condition.lastTransitionAtMs : null;
}

export function restartSpecOf(spec: ContainerSpec, pod: PodSnapshot): RestartSpec {
  const { type, restartPolicy: containerPolicy, restartPolicyRules: rules } = spec;
  return { type, podPolicy: pod.restartPolicy, containerPolicy, rules };
}
