import { restartSpecOf } from "../../src/explain/history/restart-rules.ts";
import { type ObservedRun, startOf } from "../../src/explain/history/runs.ts";
import { longestLatenessMs } from "../../src/kubelet/retry-rule.ts";
import { isKilledBySync, type SimulatedRun } from "../../src/simulate/simulated-run.ts";
import { type SimulatedStart, walk } from "../../src/simulate/walk.ts";
import type { ReplayableContainer } from "./replayable-containers.ts";

export interface ReplayedWait {
  readonly start: number;
  readonly waitedMs: number;
  readonly simulatedDelayMs: number;
  readonly saidDelayMs: number | undefined;
  readonly leastMs: number;
  readonly mostMs: number;
  /**
   * The kill came within a second of the end of the previous delay, so timestamps in whole seconds do not tell which
   * was first.
   */
  readonly isAtEdge: boolean;
}

/** Hand-set, because a wait is the difference of two timestamps in whole seconds. */
const EARLY_TOLERANCE_MS = 1_600;
/** Hand-set, for the kubelet's relist, the start of the container and timestamps in whole seconds. */
const LATE_TOLERANCE_MS = 4_000;

export function isAllowed({ waitedMs, leastMs, mostMs }: ReplayedWait): boolean {
  return waitedMs >= leastMs - EARLY_TOLERANCE_MS && waitedMs <= mostMs + LATE_TOLERANCE_MS;
}

export function replayed(recorded: ReplayableContainer): ReplayedWait[] {
  const { runs, policy, spec, pod, lostAtMs } = recorded;
  const last = runs.findLastIndex((run) => startOf(run) < lostAtMs - 1_000);
  const waits: ReplayedWait[] = [];
  let next = 0;
  const restart = restartSpecOf(spec, pod);
  const startAfter = () => ({ startedMs: startedMs(runs[++next]), shownFromMs: 0 });
  const from = { start: 0, startedMs: startedMs(runs[0]), entry: undefined, previousFinishedMs: null };
  walk({ policy, restart, runOf: (start) => trueRun(recorded, start), startAfter, from }, (simulated) => {
    if (simulated.start >= last) return false;
    waits.push(compared(recorded, simulated));
    return true;
  });
  return waits;
}

function startedMs(run: ObservedRun | undefined): number {
  return run === undefined ? Number.NaN : startOf(run);
}

function trueRun({ runs, ending }: ReplayableContainer, start: number): SimulatedRun {
  const run = runs[start];
  const ranMs = Math.max(0, (run?.finishedAtMs ?? Number.NaN) - startedMs(run)) || 0;
  return { ranMs, exitCode: run?.exit?.exitCode ?? 1, ending };
}

function compared(recorded: ReplayableContainer, simulated: SimulatedStart): ReplayedWait {
  const { runs, saidDelaysMs, policy } = recorded;
  const { start, finishedMs, wait } = simulated;
  if (wait === null) throw new Error(`${recorded.name} would not restart after start ${start}`);
  const plannedInMs = wait.plannedAtMs - finishedMs;
  return {
    start,
    waitedMs: startedMs(runs[start + 1]) - finishedMs,
    simulatedDelayMs: wait.delayMs,
    saidDelayMs: saidDelaysMs.get(runs[start]?.containerID ?? ""),
    leastMs: wait.readyAtMs - finishedMs,
    mostMs: plannedInMs + longestLatenessMs(policy.retry, plannedInMs),
    isAtEdge: isAtEdge(recorded, simulated),
  };
}

function isAtEdge({ runs, ending }: ReplayableContainer, { start, finishedMs, entry }: SimulatedStart): boolean {
  const beforeMs = runs[start - 1]?.finishedAtMs ?? null;
  if (!isKilledBySync(ending) || beforeMs === null || entry === undefined) return false;
  return Math.abs(finishedMs - beforeMs - entry.delayMs) <= 1_000;
}
