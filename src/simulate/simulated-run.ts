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
