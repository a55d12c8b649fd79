import type { RandomSource } from "../backoff/backoff.ts";
import { SIGKILL_EXIT_CODE, SIGTERM_EXIT_CODE } from "../kubelet/exit-codes.ts";
import type { KillingProbe } from "../kubelet/killing-probe.ts";

/** "exited" stands for every end except kills by the kubelet after failed probes or a failed postStart hook. */
export type RunEnd = "exited" | KillingProbe | "post-start-hook";

export interface SimulatedRun {
  readonly ranMs: number;
  readonly exitCode: number;
  readonly ending: RunEnd;
}

export type RunSource = (start: number) => SimulatedRun;

/** The length of a run, uniformly distributed between `ms` - `spreadMs` and `ms` + `spreadMs`, but at least 0. */
export interface VariedLength {
  readonly ms: number;
  readonly spreadMs: number;
}

/** False after a failed postStart hook: the sync that kills the container does not try to start it again. */
export function isKilledBySync(ending: RunEnd): boolean {
  return ending === "liveness-probe" || ending === "startup-probe";
}

export function repeatingLast<T>(runs: readonly T[]): (start: number) => T {
  const last = runs.at(-1);
  if (last === undefined) throw new Error("There is no run to repeat.");
  return (start) => runs[start] ?? last;
}

export function exitingRuns(lengths: readonly VariedLength[], exitCode: number, random: RandomSource): RunSource {
  const lengthOf = repeatingLast(lengths);
  return (start) => {
    const { ms, spreadMs } = lengthOf(start);
    const ranMs = spreadMs === 0 ? ms : Math.max(0, ms + (2 * random() - 1) * spreadMs);
    return { ranMs, exitCode, ending: "exited" };
  };
}

export interface FailingProbe {
  readonly kind: KillingProbe;
  readonly initialDelayMs: number;
  readonly periodMs: number;
  readonly failureThreshold: number;
  /** `terminationGracePeriodSeconds` of the probe, else of the pod. */
  readonly graceMs: number;
  readonly ignoresTerm: boolean;
  /** The probe succeeds until this time after the start of the container, and then always fails. */
  readonly failsAfterMs: number;
  /**
   * The time from the end of the initial delay to the first probe. If null, each run draws a part of a period or,
   * without random numbers, takes a whole period.
   */
  readonly phaseMs: number | null;
}

function probedRunMs(probe: FailingProbe, phaseMs: number): number {
  const { initialDelayMs, periodMs, failureThreshold, graceMs, ignoresTerm, failsAfterMs } = probe;
  const firstProbeMs = initialDelayMs + phaseMs;
  const passes = Math.max(0, Math.ceil((failsAfterMs - firstProbeMs) / periodMs));
  return firstProbeMs + (passes + failureThreshold - 1) * periodMs + (ignoresTerm ? graceMs : 0);
}

export function probedRuns(probe: FailingProbe, exitCode: number | null, random: RandomSource | null): RunSource {
  const code = exitCode ?? (probe.ignoresTerm ? SIGKILL_EXIT_CODE : SIGTERM_EXIT_CODE);
  return () => {
    const phaseMs = probe.phaseMs ?? (random === null ? 1 : random()) * probe.periodMs;
    return { ranMs: probedRunMs(probe, phaseMs), exitCode: code, ending: probe.kind };
  };
}
