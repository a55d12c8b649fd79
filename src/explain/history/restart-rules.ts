import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { RestartSpec } from "../../kubelet/restart-policy.ts";
import { conditionOf, statusOf, takenAtMs } from "../observed/lookups.ts";
import type {
  Condition,
  ContainerSpec,
  ContainerStatus,
  PodObservation,
  PodSnapshot,
} from "../observed/observation.ts";
import { type SeenRun, startOf } from "./runs.ts";

/** RestartAllContainers removes every instance: the start after it finds none that exited, and makes no entry. */
export function hasRestartedAll(status: ContainerStatus | null): boolean {
  return status?.lastState?.reason === "RestartingAllContainers";
}

/** Some container's rules may answer an exit with a restart of all. */
export function hasRestartAllRule({ containers }: PodSnapshot): boolean {
  return containers.some(mayRestartAll);
}

/** The containers with such a rule that were restarted with all others the last time. */
function triggersOf(pod: PodSnapshot): ContainerStatus[] {
  return pod.containers.filter(mayRestartAll).flatMap(({ name }) => {
    const status = statusOf(pod, name);
    return status !== null && hasRestartedAll(status) ? [status] : [];
  });
}

/** When the instance was started that a container has now; null while it waits for one. */
function latestStartOf({ state }: ContainerStatus): number | null {
  return state === null || state.kind === "waiting" ? null : state.startedAtMs;
}

export function mayRestartAll({ restartPolicyRules }: ContainerSpec): boolean {
  return restartPolicyRules.some(({ action }) => action === "RestartAllContainers");
}

/** The restarts of all containers that a pod has been through. */
export interface RestartAlls {
  readonly count: number;
  /** The average time from one to the next; null if it cannot be told. */
  readonly paceMs: number | null;
}

/** None at all, or none that a kubelet would do. */
const NO_RESTART_ALLS: RestartAlls = { count: 0, paceMs: null };

/**
 * How often the pod's containers have all been restarted together, because one of them exited with a code that its rules
 * answer so. Each counts in every container's restartCount, and takes no step of any curve: no exited instance is left
 * (measured on v1.37.1).
 */
export function restartAllsOf({ pod }: PodObservation, { traits }: CrashLoopPolicy): RestartAlls {
  if (!traits.hasRestartAll) return NO_RESTART_ALLS;
  const triggers = triggersOf(pod);
  if (triggers.length === 0) return NO_RESTART_ALLS;
  const latest = triggers.reduce((a, b) => (b.restartCount > a.restartCount ? b : a));
  const count = latest.restartCount;
  const bornAtMs = takenAtMs(pod);
  const startedAtMs = latestStartOf(latest);
  return { count, paceMs: bornAtMs === null || startedAtMs === null ? null : (startedAtMs - bornAtMs) / count };
}

/** How likely a start that nothing tells more of is one of all containers, in a pod whose rules may ask for that. */
const UNTOLD = 0.1;

const RESTARTING = "AllContainersRestarting";
/** All start in one sync, one after the other. */
const ONE_SYNC_MS = 2_000;

/**
 * How sure it is, 0 to 1, that the kubelet started this run together with all other containers (RestartAllContainers):
 * it then found no exited instance, waited for nothing, and made no step of the curve. `from` is the run seen before it.
 *
 * A container that runs as all are restarted keeps a made-up record of that. One that waits keeps its real record, so that
 * only the pod's condition AllContainersRestarting tells, False since the end of the latest such restart, which comes
 * before the starts (measured on v1.37.1); without the condition, the start of a container that asked for it. What an older
 * snapshot showed counts as well.
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
  const isInSync = (atMs: number) => fromMs <= atMs && Math.abs(atMs - startOf(run)) <= ONE_SYNC_MS;
  const isTold = snapshots.some((snapshot) => {
    const condition = conditionOf(snapshot, RESTARTING);
    return condition === undefined ? triggerStarts(snapshot).some(isInSync) : isBetween(restartedAllAtMs(condition));
  });
  const latestMs = restartedAllAtMs(conditionOf(observed.pod, RESTARTING));
  return isTold ? 1 : latestMs !== null && latestMs < fromMs ? 0 : UNTOLD;
}

/** When the latest restart of all was over, or the pod new; null while one goes on, and without the condition. */
function restartedAllAtMs(condition: Condition | undefined): number | null {
  return condition?.status === "False" ? condition.lastTransitionAtMs : null;
}

function triggerStarts(pod: PodSnapshot): number[] {
  return triggersOf(pod).flatMap((status) => latestStartOf(status) ?? []);
}

/** What decides whether this container of the pod restarts. */
export function restartSpecOf(spec: ContainerSpec, pod: PodSnapshot): RestartSpec {
  const { type, restartPolicy: containerPolicy, restartPolicyRules: rules } = spec;
  return { type, podPolicy: pod.restartPolicy, containerPolicy, rules };
}
