import type { RandomSource } from "../backoff/backoff.ts";

/** How a simulated run ends: by itself, killed by the sync that saw a liveness or startup probe fail, or by its postStart hook. */
export type Ending = "exited" | "liveness-probe" | "startup-probe" | "post-start-hook";

/** One run of a simulated container. */
export interface SimulatedRun {
  readonly ranMs: number;
  readonly exitCode: number;
  readonly ending: Ending;
}

/** The run of each start; 0 is the first. */
export type RunSource = (start: number) => SimulatedRun;

/** A length, and how far it varies to either side, evenly. */
export interface VariedLength {
  readonly ms: number;
  readonly spreadMs: number;
}

/** Whether a sync of the pod killed it, and so asked about the exit before. */
export function isKilledBySync(ending: Ending): boolean {
  return ending === "liveness-probe" || ending === "startup-probe";
}

/** The runs in their order; the last one repeats. Throws without any. */
export function inOrder(runs: readonly SimulatedRun[]): RunSource {
  const last = runs.at(-1);
  if (last === undefined) throw new Error("There is no run to repeat.");
  return (start) => runs[start] ?? last;
}

/** Runs that exit by themselves, as long as the lengths say; the last one repeats. What varies is drawn once per run. */
export function exitingRuns(lengths: readonly VariedLength[], exitCode: number, random: RandomSource): RunSource {
  const fixed = lengths.map(({ ms }): SimulatedRun => ({ ranMs: ms, exitCode, ending: "exited" }));
  const fixedRun = inOrder(fixed);
  return (start) => {
    const { spreadMs } = lengths[Math.min(start, lengths.length - 1)] ?? { spreadMs: 0 };
    const run = fixedRun(start);
    return spreadMs === 0 ? run : { ...run, ranMs: Math.max(0, run.ranMs + (2 * random() - 1) * spreadMs) };
  };
}

/** A liveness or startup probe that fails at every try, and what its container does when it is told to stop. */
export interface FailingProbe {
  readonly kind: Extract<Ending, "liveness-probe" | "startup-probe">;
  readonly initialDelayMs: number;
  readonly periodMs: number;
  readonly failureThreshold: number;
  /** How long the kubelet waits for the process after SIGTERM: the pod's or the probe's terminationGracePeriodSeconds. */
  readonly graceMs: number;
  /** It does not stop on SIGTERM: the grace period is part of its run, and SIGKILL ends it. */
  readonly ignoresTerm: boolean;
  /** The probe begins to fail only so long after the start. */
  readonly failsAfterMs: number;
  /**
   * From the end of the initial delay to the first probe: the kubelet's ticker does not wait for the container. Null: a
   * whole period, the longest, or drawn where a seed is given.
   */
  readonly phaseMs: number | null;
}

/** The exit codes of a process that SIGKILL or SIGTERM ended (128 + the signal's number). */
const EXIT_CODES = { killed: 137, terminated: 143 } as const;

/** How long a run is whose probe fails `failureThreshold` times, the first time so long after the initial delay. */
function probedRunMs(probe: FailingProbe, phaseMs: number): number {
  const { initialDelayMs, periodMs, failureThreshold, graceMs, ignoresTerm, failsAfterMs } = probe;
  const firstProbeMs = initialDelayMs + phaseMs;
  const passes = Math.max(0, Math.ceil((failsAfterMs - firstProbeMs) / periodMs));
  return firstProbeMs + (passes + failureThreshold - 1) * periodMs + (ignoresTerm ? graceMs : 0);
}

/** The runs of a container whose probe fails; with `random` the phase of each probe is drawn, unless it is given. */
export function probedRuns(probe: FailingProbe, exitCode: number | null, random: RandomSource | null): RunSource {
  const code = exitCode ?? (probe.ignoresTerm ? EXIT_CODES.killed : EXIT_CODES.terminated);
  const runOf = (phaseMs: number): SimulatedRun => {
    return { ranMs: probedRunMs(probe, phaseMs), exitCode: code, ending: probe.kind };
  };
  if (probe.phaseMs !== null || random === null) {
    const always = runOf(probe.phaseMs ?? probe.periodMs);
    return () => always;
  }
  return () => runOf(random() * probe.periodMs);
}
