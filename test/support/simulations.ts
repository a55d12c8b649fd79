import { type Contention, type ContentionSettings, contend } from "../../src/simulate/contention.ts";
import { type Herd, type HerdSettings, stampede } from "../../src/simulate/herd.ts";
import type { Progress } from "../../src/simulate/progress.ts";

/** Runs a simulation without its progress. */
export function finish<T>(simulation: Generator<Progress, T>): T {
  for (;;) {
    const step = simulation.next();
    if (step.done) return step.value;
  }
}

export function contentionOf(settings: Partial<ContentionSettings> = {}): Contention {
  return finish(
    contend({
      strategies: ["none", "fixed", "linear", "exponential", "full", "equal", "decorrelated"],
      clients: [3, 12],
      runs: 4,
      seed: 1,
      baseMs: 5,
      capMs: 2_000,
      network: { meanMs: 10, sdMs: 2 },
      ...settings,
    }),
  );
}

/** A small herd that is without its dependency for ten minutes. */
export function herdOf(settings: Partial<HerdSettings> = {}): Herd {
  return finish(stampede({ replicas: 12, runs: 4, seed: 1, outageMs: 600_000, runMs: 5_000, ...settings }));
}
