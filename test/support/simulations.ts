import type { Progress } from "../../src/simulate/contention.ts";
import { type Contention, type ContentionSettings, contend } from "../../src/simulate/contention.ts";

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
      initialMs: 5,
      maxMs: 2_000,
      network: { meanMs: 10, sdMs: 2 },
      ...settings,
    }),
  );
}
