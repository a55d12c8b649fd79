import { type ContentionConditions, runContention } from "./contention-run.ts";
import { CONTENDERS, type ContenderName } from "./contention-strategies.ts";
import type { Progress } from "./progress.ts";
import { seededRandom } from "./seeded-random.ts";

/** The experiment makes `runs` runs of each strategy with each number of clients. */
export interface ContentionSettings extends ContentionConditions {
  readonly strategies: readonly ContenderName[];
  readonly clients: readonly number[];
  readonly runs: number;
  readonly seed: number;
}

/** The means over all runs of one strategy with one number of clients. */
export interface ContentionResult {
  readonly strategy: ContenderName;
  readonly clients: number;
  readonly completionMs: number;
  readonly calls: number;
}

export interface Contention {
  readonly settings: ContentionSettings;
  readonly results: readonly ContentionResult[];
}

/**
 * Simulates the experiment. Yields the progress before each run, and returns the results, ordered by strategy and then
 * by number of clients. Each run has its own stream of random numbers, so a result does not depend on the other
 * settings.
 */
export function* contend(settings: ContentionSettings): Generator<Progress, Contention> {
  const results: ContentionResult[] = [];
  const totalWork = contentionWork(settings);
  let doneWork = 0;
  for (const strategy of settings.strategies) {
    for (const clients of settings.clients) {
      let completionMs = 0;
      let calls = 0;
      for (let run = 0; run < settings.runs; run++) {
        yield { done: doneWork / totalWork, doing: `${strategy}, ${clients} clients` };
        const random = seededRandom(settings.seed, strategy, clients, run);
        const result = runContention(clients, CONTENDERS[strategy], settings, random);
        completionMs += result.completionMs / settings.runs;
        calls += result.calls / settings.runs;
        doneWork += clients ** 2;
      }
      results.push({ strategy, clients, completionMs, calls });
    }
  }
  return { settings, results };
}

/** Returns an upper limit on the number of writes: a run with n clients makes at most n². */
export function contentionWork({ strategies, clients, runs }: ContentionSettings): number {
  return strategies.length * runs * clients.reduce((sum, count) => sum + count ** 2, 0);
}
