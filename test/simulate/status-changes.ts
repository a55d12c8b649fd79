import type { SimulatedStart } from "../../src/simulate/walk.ts";

export interface StatusChange {
  readonly atMs: number;
  readonly status: "Running" | "CrashLoopBackOff" | "Error" | "Completed";
  readonly restarts: number;
}

/** Follows STATUS and RESTARTS of `kubectl get pod -w`. Leaves out an exit that is restarted without a delay. */
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
