import type { RandomSource } from "../backoff/backoff.ts";
import type { Ending, RunSource, SimulatedRun } from "./simulated-run.ts";

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
