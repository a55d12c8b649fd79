import type { SeenRun } from "../../src/explain/history/runs.ts";
import { longestLatenessMs } from "../../src/kubelet/retry-rule.ts";
import { isKilledBySync, type SimulatedRun } from "../../src/simulate/simulated-run.ts";
import { type Beginning, type SimulatedStart, walk } from "../../src/simulate/walk.ts";
import type { RecordedContainer } from "./recorded-containers.ts";

/** A wait of a recording beside the one that the simulation asks for. */
export interface ReplayedWait {
  readonly start: number;
  readonly waitedMs: number;
  readonly simulatedDelayMs: number;
  /** The delay in the kubelet's message; undefined if no message was recorded. */
  readonly saidDelayMs: number | undefined;
  readonly leastMs: number;
  readonly mostMs: number;
  /** A kubelet restart or a new image ended this wait, so that only its delay can be compared. */
  readonly isInterrupted: boolean;
  /** The kill came within a second of the end of the previous delay: the timestamps do not say whether before or after it. */
  readonly isAtEdge: boolean;
}

/** Two timestamps, each truncated to a second. */
const EARLY_MS = 1_600;
/** Relist, the start itself, truncation, and nodes with fifty pods on two cores. */
const SLOW_MS = 4_000;

/** Whether the wait is one that the kubelet's syncs allow after the delay. */
export function isAllowed({ waitedMs, leastMs, mostMs, isInterrupted }: ReplayedWait): boolean {
  return isInterrupted || (waitedMs >= leastMs - EARLY_MS && waitedMs <= mostMs + SLOW_MS);
}

/** When a run started; one that never did (StartError) is taken to start as it ends. */
function startOf(run: SeenRun | undefined): number {
  return run?.startedAtMs ?? run?.finishedAtMs ?? Number.NaN;
}

/** Simulates a recorded container with its real run lengths and starts, and compares each wait. */
export function replayed(recorded: RecordedContainer): ReplayedWait[] {
  const { runs, forgottenAtMs } = recorded;
  const waits: ReplayedWait[] = [];
  let from: Beginning = { start: 0, startedMs: startOf(runs[0]), entry: undefined, previousFinishedMs: null };
  for (const resetAtMs of [...forgottenAtMs.filter((atMs) => atMs > from.startedMs), Number.POSITIVE_INFINITY]) {
    const last = runs.findLastIndex((run) => startOf(run) < resetAtMs - 1_000);
    waits.push(...segment(recorded, from, last, resetAtMs));
    from = beginningAfter(recorded, last, resetAtMs);
    if (from.start >= runs.length) break;
  }
  return waits;
}

/** The waits after the runs from `from` up to `last`, until the kubelet loses the back-off at `untilMs`. */
function segment(recorded: RecordedContainer, from: Beginning, last: number, untilMs: number): ReplayedWait[] {
  const { runs, policy, spec, pod } = recorded;
  const waits: ReplayedWait[] = [];
  if (last < from.start) return waits;
  let ended = from.start - 1;
  const visit = (simulated: SimulatedStart) => {
    const isUp = (runs[simulated.start]?.finishedAtMs ?? Number.POSITIVE_INFINITY) > untilMs;
    if (isUp || simulated.start + 1 >= runs.length) return false;
    const isInterrupted = simulated.start === last && untilMs !== Number.POSITIVE_INFINITY;
    waits.push(compared(recorded, simulated, isInterrupted));
    return simulated.start < last;
  };
  const restart = {
    type: spec.type,
    podPolicy: pod.restartPolicy,
    containerPolicy: spec.restartPolicy,
    rules: spec.restartPolicyRules,
  };
  const startAfter = () => ({ startedMs: startOf(runs[++ended + 1]), shownFromMs: 0 });
  walk({ policy, restart, runOf: (start) => trueRun(recorded, start), startAfter, from }, visit);
  return waits;
}

function trueRun({ runs, ending }: RecordedContainer, start: number): SimulatedRun {
  const run = runs[start];
  const ranMs = Math.max(0, (run?.finishedAtMs ?? Number.NaN) - startOf(run)) || 0;
  return { ranMs, exitCode: run?.exit?.exitCode ?? 1, ending };
}

function compared(recorded: RecordedContainer, simulated: SimulatedStart, isInterrupted: boolean): ReplayedWait {
  const { runs, saidDelayMs, policy } = recorded;
  const { start, finishedMs, wait } = simulated;
  if (wait === null) throw new Error(`${recorded.name} would not restart after start ${start}`);
  const plannedInMs = wait.plannedAtMs - finishedMs;
  return {
    start,
    waitedMs: startOf(runs[start + 1]) - finishedMs,
    simulatedDelayMs: wait.delayMs,
    saidDelayMs: saidDelayMs.get(runs[start]?.containerID ?? ""),
    leastMs: wait.readyAtMs - finishedMs,
    mostMs: plannedInMs + longestLatenessMs(policy.retry, plannedInMs),
    isInterrupted,
    isAtEdge: isAtEdge(recorded, simulated),
  };
}

function isAtEdge({ runs, ending }: RecordedContainer, { start, finishedMs, entry }: SimulatedStart): boolean {
  const beforeMs = runs[start - 1]?.finishedAtMs ?? null;
  if (!isKilledBySync(ending) || beforeMs === null || entry === undefined) return false;
  return Math.abs(finishedMs - beforeMs - entry.delayMs) <= 1_000;
}

/** The start from which the simulation goes on after the kubelet has lost the back-off; the runtime still has the last exit. */
function beginningAfter({ runs, policy }: RecordedContainer, last: number, resetAtMs: number): Beginning {
  const isUp = (runs[last]?.finishedAtMs ?? Number.POSITIVE_INFINITY) > resetAtMs;
  const start = isUp ? last : last + 1;
  const startedMs = startOf(runs[start]);
  const previousFinishedMs = runs[start - 1]?.finishedAtMs ?? null;
  return {
    ...{ start, startedMs, previousFinishedMs },
    entry: isUp ? undefined : { delayMs: policy.initialMs, lastUpdateMs: startedMs },
  };
}
