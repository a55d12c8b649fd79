import type { SimulatedStart } from "../../src/simulate/walk.ts";

export interface StatusChange {
  readonly atMs: number;
  readonly status: "Running" | "CrashLoopBackOff" | "Error" | "Completed";
  readonly restarts: number;
}

/**
 * Returns the lines that `kubectl get pod -w` would print. During a wait, STATUS is first Error or Completed and, from
 * the kubelet's second sync on, CrashLoopBackOff. Restarts without a delay are too quick to show.
 */
export function statusChanges(starts: readonly SimulatedStart[]): StatusChange[] {
  return starts.flatMap((simulated): StatusChange[] => {
    const { start: restarts, startedMs, finishedMs, wait, crashLoopBackOff, run, nextStartedMs } = simulated;
    const running = { atMs: startedMs, status: "Running" as const, restarts };
    const isBrief = nextStartedMs !== null && (wait?.delayMs ?? 0) === 0;
    const ended = run.exitCode === 0 ? ("Completed" as const) : ("Error" as const);
    const exit = { atMs: finishedMs, status: ended, restarts };
    if (crashLoopBackOff === null) return isBrief ? [running] : [running, exit];
    const shown = { atMs: crashLoopBackOff.fromMs, status: "CrashLoopBackOff" as const, restarts };
    return crashLoopBackOff.fromMs > finishedMs ? [running, exit, shown] : [running, shown];
  });
}
