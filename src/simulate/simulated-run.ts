import type { RandomSource } from "../backoff/backoff.ts";

/** "exited": the container exited by itself. With any other ending, the kubelet killed the container. */
export type RunEnd = "exited" | "liveness-probe" | "startup-probe" | "post-start-hook";

export interface SimulatedRun {
  readonly ranMs: number;
  readonly exitCode: number;
  readonly ending: RunEnd;
}

/** Returns the run after `start` restarts; 0 gives the first run. */
export type RunSource = (start: number) => SimulatedRun;

/** A random run length, uniform between `ms` - `spreadMs` and `ms` + `spreadMs`. */
export interface VariedLength {
  readonly ms: number;
  readonly spreadMs: number;
}

/**
 * Whether a sync of the pod killed the container, after a failed liveness or startup probe. That sync checks the
 * back-off since the previous exit (`waitAfter`).
 */
export function isKilledBySync(ending: RunEnd): boolean {
  return ending === "liveness-probe" || ending === "startup-probe";
}

/**
 * Returns a function that gives `runs[start]`, and the last of `runs` for every later start. Throws an Error if `runs`
 * is empty.
 */
export function repeatingLast<T>(runs: readonly T[]): (start: number) => T {
  const last = runs.at(-1);
  if (last === undefined) throw new Error("There is no run to repeat.");
  return (start) => runs[start] ?? last;
}

/**
 * Returns runs that exit by themselves, as long as `lengths` say; the last length repeats. Each run draws its length
 * within the spread, at least 0.
 */
export function exitingRuns(lengths: readonly VariedLength[], exitCode: number, random: RandomSource): RunSource {
  const lengthOf = repeatingLast(lengths);
  return (start) => {
    const { ms, spreadMs } = lengthOf(start);
    const ranMs = spreadMs === 0 ? ms : Math.max(0, ms + (2 * random() - 1) * spreadMs);
    return { ranMs, exitCode, ending: "exited" };
  };
}

export interface FailingProbe {
  readonly kind: Extract<RunEnd, "liveness-probe" | "startup-probe">;
  readonly initialDelayMs: number;
  readonly periodMs: number;
  readonly failureThreshold: number;
  /** `terminationGracePeriodSeconds` of the probe, else of the pod. */
  readonly graceMs: number;
  /** Whether the process runs on after SIGTERM until SIGKILL ends it. The grace period is then part of the run. */
  readonly ignoresTerm: boolean;
  /** The probe succeeds until this time after the start, and fails from then on. */
  readonly failsAfterMs: number;
  /**
   * The time from the end of the initial delay to the first probe. It varies, because the kubelet's ticker does not
   * wait for the container. Null: each run draws it; without random numbers, it is a whole period, the maximum.
   */
  readonly phaseMs: number | null;
}

/** The exit codes of a process that SIGKILL or SIGTERM ended (128 + the signal's number). */
const EXIT_CODES = { killed: 137, terminated: 143 } as const;

function probedRunMs(probe: FailingProbe, phaseMs: number): number {
  const { initialDelayMs, periodMs, failureThreshold, graceMs, ignoresTerm, failsAfterMs } = probe;
  const firstProbeMs = initialDelayMs + phaseMs;
  const passes = Math.max(0, Math.ceil((failsAfterMs - firstProbeMs) / periodMs));
  return firstProbeMs + (passes + failureThreshold - 1) * periodMs + (ignoresTerm ? graceMs : 0);
}

/**
 * Returns the runs of a container whose probe fails. If `exitCode` is null, each run ends with the code of the signal
 * that ends the process: SIGKILL if the process ignores SIGTERM, else SIGTERM. If `random` is null, an unknown phase is
 * a whole period.
 */
export function probedRuns(probe: FailingProbe, exitCode: number | null, random: RandomSource | null): RunSource {
  const code = exitCode ?? (probe.ignoresTerm ? EXIT_CODES.killed : EXIT_CODES.terminated);
  return () => {
    const phaseMs = probe.phaseMs ?? (random === null ? 1 : random()) * probe.periodMs;
    return { ranMs: probedRunMs(probe, phaseMs), exitCode: code, ending: probe.kind };
  };
}
