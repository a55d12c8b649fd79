import type { Run } from "../../explain/answer/explanation.ts";

const MOST_RUNS = 20;

/** Returns `shown`, the newest 20 runs, oldest first, and `leftOut`, the number of the starts before them. */
export function newestRuns(history: readonly Run[]) {
  const shown = history.slice(-MOST_RUNS);
  return { shown, leftOut: shown[0]?.start ?? 0 };
}
