import type { SimulatedStart } from "../../src/simulate/walk.ts";

/** What `kubectl get pod` shows in its STATUS and RESTARTS columns from an instant on. */
export interface StatusChange {
  readonly atMs: number;
  readonly status: "Running" | "CrashLoopBackOff" | "Error" | "Completed";
  readonly restarts: number;
}

/**
 * The lines that `kubectl get pod -w` would print: one for each start and, for each wait, one before the kubelet's second sync
 * and one after it. Restarts without a delay are too quick to show.
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
