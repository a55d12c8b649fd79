import type { Run } from "../../explain/answer/explanation.ts";

const MOST_RUNS = 20;

/** `leftOut` counts all runs before `shown`, also those that `history` lacks: a container's first run has `start` 0. */
export function newestRuns(history: readonly Run[]) {
  const shown = history.slice(-MOST_RUNS);
  return { shown, leftOut: shown[0]?.start ?? 0 };
}
