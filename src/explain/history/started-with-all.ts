import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { Condition, PodObservation, PodSnapshot } from "../observed/observation.ts";
import { hasRestartAllRule, hasRestartedAll, latestStartOf, triggersOf } from "./restart-alls.ts";
import { type SeenRun, startOf } from "./runs.ts";

/** How likely a start that nothing tells more of is one of all containers, in a pod whose rules may ask for that. */
const UNTOLD = 0.1;

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
  const isOnRecord = snapshots.some(({ statuses }) => {
    const status = statuses.find(({ name }) => name === container) ?? null;
    return status?.restartCount === run.start && hasRestartedAll(status);
  });
  if (isOnRecord) return 1;
  if (from === undefined || from.start + 1 !== run.start) return 0;
  const fromMs = from.finishedAtMs ?? startOf(from);
  const isBetween = (atMs: number | null) => atMs !== null && fromMs <= atMs && atMs <= startOf(run);
  const isInSync = (atMs: number) => fromMs <= atMs && Math.abs(atMs - startOf(run)) <= ONE_SYNC_MS;
  const isTold = snapshots.some((snapshot) => {
    const condition = conditionOf(snapshot);
    return condition === undefined ? triggerStarts(snapshot).some(isInSync) : isBetween(endOf(condition));
  });
  const latestMs = endOf(conditionOf(observed.pod));
  return isTold ? 1 : latestMs !== null && latestMs < fromMs ? 0 : UNTOLD;
}

function conditionOf({ conditions }: PodSnapshot): Condition | undefined {
  return conditions.find(({ type }) => type === "AllContainersRestarting");
}

/** When the latest restart of all was over, or the pod new; null while one goes on, and without the condition. */
function endOf(condition: Condition | undefined): number | null {
  return condition?.status === "False" ? condition.lastTransitionAtMs : null;
}

function triggerStarts(pod: PodSnapshot): number[] {
  return triggersOf(pod).flatMap((status) => latestStartOf(status) ?? []);
}
