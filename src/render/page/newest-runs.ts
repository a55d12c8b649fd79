import type { Run } from "../../explain/answer/explanation.ts";

const MOST_RUNS = 20;

/** `leftOut` also counts runs that `history` lacks, because the first run of a container has the `start` 0. */
export function newestRuns(history: readonly Run[]) {
  const shown = history.slice(-MOST_RUNS);
  return { shown, leftOut: shown[0]?.start ?? 0 };
}
