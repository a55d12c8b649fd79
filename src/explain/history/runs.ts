import { floorToSecond } from "../../kubelet/go-duration.ts";
import { pullTookMs } from "../../kubelet/start-obstacles.ts";
import { containerEvents, newestAtMs, newestOf, statusOf } from "../observed/lookups.ts";
import type {
  ContainerSpec,
  ContainerStatus,
  EventSnapshot,
  PodObservation,
  PodSnapshot,
  TerminatedState,
} from "../observed/observation.ts";

export interface ObservedRun {
  /** The container's restartCount during this run, partly inferred. */
  readonly start: number;
  readonly containerID: string | null;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly exit: TerminatedState | null;
}

/** Oldest first. */
export function runsIn(spec: ContainerSpec, observed: PodObservation): ObservedRun[] {
  const reported = observedRuns(spec.name, [...observed.earlier, observed.pod]);
  return [...reported, ...hiddenRun(spec, reported.at(-1), observed)];
}

export function observedRuns(name: string, snapshots: readonly PodSnapshot[]): ObservedRun[] {
  const runs: ObservedRun[] = [];
  for (const snapshot of snapshots) {
    const status = statusOf(snapshot, name);
    for (const run of status === null ? [] : runsOf(status)) {
      const index = runs.findIndex((known) => isSameRun(known, run));
      const known = runs[index];
      if (known === undefined) runs.push(run);
      else runs[index] = merge(known, run);
    }
  }
  return runs.sort((a, b) => lastInstantOf(a) - lastInstantOf(b) || a.start - b.start);
}

/** Infers a running instance from a Started event. While a postStart hook runs, the status can still say "waiting". */
function hiddenRun(spec: ContainerSpec, last: ObservedRun | undefined, observed: PodObservation): ObservedRun[] {
  const isWaiting = statusOf(observed.pod, spec.name)?.state?.kind === "waiting";
  if (!spec.hasPostStart || !isWaiting || last === undefined || last.finishedAtMs === null) return [];
  const startedAtMs = newestAtMs(containerEvents(spec.name, observed).filter(({ reason }) => reason === "Started"));
  const isLater = startedAtMs >= last.finishedAtMs && startedAtMs > (last.startedAtMs ?? 0) + 1_000;
  return isLater ? [running(last.start + 1, null, startedAtMs)] : [];
}

/** Falls back to the run's end, e.g. after a StartError, whose record can lack the start time. */
export function startOf(run: ObservedRun): number {
  return run.startedAtMs ?? run.finishedAtMs ?? 0;
}

/** Assumed maximum time from the end of an image pull to the start of the container. */
const PULL_TO_START_MS = 10_000;

/** The API truncates `startedAt` to seconds, so the result is in whole seconds. It is 0 if no event shows a pull. */
export function pulledForMs(run: ObservedRun, before: ObservedRun | undefined, own: readonly EventSnapshot[]): number {
  const startedAtMs = startOf(run);
  const isBeforeStart = ({ lastAtMs }: EventSnapshot) =>
    lastAtMs !== null && lastAtMs <= startedAtMs && startedAtMs - lastAtMs <= PULL_TO_START_MS;
  const pulled = newestOf(own.filter((event) => event.reason === "Pulled" && isBeforeStart(event)));
  const tookMs = floorToSecond(pullTookMs(pulled?.message ?? "") ?? 0);
  return startedAtMs - tookMs >= (before?.finishedAtMs ?? 0) ? tookMs : 0;
}

/** Returns 0 if the run's start or end is unknown. */
export function runLengthMs({ startedAtMs, finishedAtMs }: Pick<ObservedRun, "startedAtMs" | "finishedAtMs">): number {
  return finishedAtMs === null ? 0 : finishedAtMs - (startedAtMs ?? finishedAtMs);
}

export function averageRunMs(runs: readonly Pick<ObservedRun, "startedAtMs" | "finishedAtMs">[]): number | null {
  const lengths = runs.filter((run) => run.startedAtMs !== null && run.finishedAtMs !== null).map(runLengthMs);
  return lengths.length === 0 ? null : lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

export function isOfStart(reason: string): boolean {
  return reason === "Started" || reason === "Created" || reason === "Pulled";
}

/** A run has no containerID if the status still had the containerID of the run before. */
function isSameRun(a: ObservedRun, b: ObservedRun): boolean {
  if (a.containerID !== null && b.containerID !== null) return a.containerID === b.containerID;
  return a.start === b.start && (a.containerID === b.containerID || a.startedAtMs === b.startedAtMs);
}

function merge(older: ObservedRun, newer: ObservedRun): ObservedRun {
  const isPossible =
    older.startedAtMs !== null && older.startedAtMs <= (newer.finishedAtMs ?? Number.POSITIVE_INFINITY);
  const startedAtMs = isPossible ? older.startedAtMs : newer.startedAtMs;
  const containerID = newer.containerID ?? older.containerID;
  return { ...newer, containerID, start: Math.min(older.start, newer.start), startedAtMs };
}

function lastInstantOf({ startedAtMs, finishedAtMs }: ObservedRun): number {
  return finishedAtMs ?? startedAtMs ?? Number.POSITIVE_INFINITY;
}

function runsOf(status: ContainerStatus): ObservedRun[] {
  const { state, lastState, restartCount } = status;
  const runs: ObservedRun[] = [];
  // A status can have one instance as both state and lastState.
  if (isInstance(lastState) && !(state?.kind === "terminated" && isSameInstance(state, lastState))) {
    const isLatest = state?.kind !== "running" && state?.kind !== "terminated" && isCurrent(status, lastState);
    runs.push(finished(lastState, isLatest ? restartCount : Math.max(0, restartCount - 1)));
  }
  if (state?.kind === "terminated" && isInstance(state)) runs.push(finished(state, restartCount));
  if (state?.kind === "running") {
    // The containerID in the status can still be that of the instance that has exited.
    const containerID = status.containerID === lastState?.containerID ? null : status.containerID;
    runs.push(running(restartCount, containerID, state.startedAtMs));
  }
  return runs;
}

function isCurrent(status: ContainerStatus, record: TerminatedState): boolean {
  return status.containerID === null || record.containerID === null || status.containerID === record.containerID;
}

function isSameInstance(a: TerminatedState, b: TerminatedState): boolean {
  if (a.containerID !== null && b.containerID !== null) return a.containerID === b.containerID;
  return a.startedAtMs === b.startedAtMs && a.finishedAtMs === b.finishedAtMs;
}

/** A record that the kubelet makes up, e.g. ContainerStatusUnknown, has no times. */
function isInstance(record: TerminatedState | null): record is TerminatedState {
  return record !== null && record.finishedAtMs !== null;
}

function running(start: number, containerID: string | null, startedAtMs: number | null): ObservedRun {
  return { start, containerID, startedAtMs, finishedAtMs: null, exit: null };
}

function finished(exit: TerminatedState, start: number): ObservedRun {
  const { containerID, startedAtMs, finishedAtMs } = exit;
  return { start, containerID, startedAtMs, finishedAtMs, exit };
}
