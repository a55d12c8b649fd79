import type { Run } from "../../explain/answer/explanation.ts";

const MOST_RUNS = 20;

/** `shown`: oldest first. `leftOut`: the number of earlier runs, even of those that `history` lacks. */
export function newestRuns(history: readonly Run[]) {
  const shown = history.slice(-MOST_RUNS);
  return { shown, leftOut: shown[0]?.start ?? 0 };
}
