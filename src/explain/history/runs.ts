import { statusOf } from "../observed/lookups.ts";
import type {
  ContainerSpec,
  ContainerStatus,
  PodObservation,
  PodSnapshot,
  TerminatedState,
} from "../observed/observation.ts";

/** One instance of a container, as far as its records were seen. */
export interface SeenRun {
  /** The restartCount of this run: 0 is the first. */
  readonly start: number;
  readonly containerID: string | null;
  readonly startedAtMs: number | null;
  /** Null while it runs. */
  readonly finishedAtMs: number | null;
  /** Null while it runs. */
  readonly exit: TerminatedState | null;
}

/**
 * Every instance of the container that the snapshots show, oldest first. Runs are told apart by containerID, because
 * kubelets ≥ 1.36 may report one run as both state and lastState; made-up records without times are no runs.
 */
export function seenRuns(name: string, snapshots: readonly PodSnapshot[]): SeenRun[] {
  const runs = new Map<string, SeenRun>();
  for (const snapshot of snapshots) {
    const status = statusOf(snapshot, name);
    for (const run of status === null ? [] : runsOf(status)) {
      const key = run.containerID ?? `start ${run.start}`;
      const known = runs.get(key);
      runs.set(key, known === undefined ? run : merge(known, run));
    }
  }
  return [...runs.values()].sort((a, b) => lastInstantOf(a) - lastInstantOf(b) || a.start - b.start);
}

/**
 * The instance that runs behind a waiting status: while a postStart hook or the kill after it blocks the start, the API
 * still shows the old status; only a Started event after the last exit tells of it. Null if there is none.
 */
export function hiddenRun(spec: ContainerSpec, runs: readonly SeenRun[], observed: PodObservation): SeenRun | null {
  const last = runs.at(-1);
  const isWaiting = statusOf(observed.pod, spec.name)?.state?.kind === "waiting";
  if (!spec.hasPostStart || !isWaiting || last === undefined || last.finishedAtMs === null) return null;
  const started = observed.events
    .filter((event) => event.container === spec.name && event.reason === "Started")
    .map((event) => event.lastAtMs ?? 0)
    .sort((a, b) => b - a)[0];
  const isLater = started !== undefined && started >= last.finishedAtMs && started > (last.startedAtMs ?? 0) + 1_000;
  if (!isLater) return null;
  return { start: last.start + 1, containerID: null, startedAtMs: started, finishedAtMs: null, exit: null };
}

/** When a run started; one that never did (StartError) is taken to start as it ends. */
export function startOf(run: SeenRun): number {
  return run.startedAtMs ?? run.finishedAtMs ?? 0;
}

/** Whether the kubelet sends an event of this reason for each start. */
export function isOfStart(reason: string): boolean {
  return reason === "Started" || reason === "Created" || reason === "Pulled";
}

/** A start after the end cannot be its start, whatever the older record says. */
function merge(older: SeenRun, newer: SeenRun): SeenRun {
  const isPossible =
    older.startedAtMs !== null && older.startedAtMs <= (newer.finishedAtMs ?? Number.POSITIVE_INFINITY);
  const startedAtMs = isPossible ? older.startedAtMs : newer.startedAtMs;
  return { ...newer, start: Math.min(older.start, newer.start), startedAtMs };
}

/** Of a run whose end was not seen, because others came and went before anybody looked again, the start says where it belongs. */
function lastInstantOf({ startedAtMs, finishedAtMs }: SeenRun): number {
  return finishedAtMs ?? startedAtMs ?? Number.POSITIVE_INFINITY;
}

function runsOf(status: ContainerStatus): SeenRun[] {
  const { state, lastState, restartCount } = status;
  const runs: SeenRun[] = [];
  if (isInstance(lastState) && !(state?.kind === "terminated" && isSameInstance(state, lastState))) {
    const isLatest = state?.kind !== "running" && state?.kind !== "terminated" && isCurrent(status, lastState);
    runs.push(finished(lastState, isLatest ? restartCount : Math.max(0, restartCount - 1)));
  }
  if (state?.kind === "terminated" && isInstance(state)) runs.push(finished(state, restartCount));
  if (state?.kind === "running") {
    // What has exited does not run: an id that both claim is only the record's.
    const containerID = status.containerID === lastState?.containerID ? null : status.containerID;
    runs.push({ start: restartCount, containerID, startedAtMs: state.startedAtMs, finishedAtMs: null, exit: null });
  }
  return runs;
}

/** While it waits, the status names the instance that ended last; without ids the record is taken for that one. */
function isCurrent(status: ContainerStatus, record: TerminatedState): boolean {
  return status.containerID === null || record.containerID === null || status.containerID === record.containerID;
}

function isSameInstance(a: TerminatedState, b: TerminatedState): boolean {
  if (a.containerID !== null && b.containerID !== null) return a.containerID === b.containerID;
  return a.startedAtMs === b.startedAtMs && a.finishedAtMs === b.finishedAtMs;
}

/** RestartingAllContainers and ContainerStatusUnknown leave records without times: nothing to replay. */
function isInstance(record: TerminatedState | null): record is TerminatedState {
  return record !== null && record.finishedAtMs !== null;
}

function finished(exit: TerminatedState, start: number): SeenRun {
  const { containerID, startedAtMs, finishedAtMs } = exit;
  return { start, containerID, startedAtMs, finishedAtMs, exit };
}
