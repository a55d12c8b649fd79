import type { Progress } from "../simulate/progress.ts";
import { forTerminal } from "./terminal-text.ts";

const WIDTH = 24;
const CLEAR_LINE = "\r\u001b[K";

/** Where a bar is drawn: on a terminal, and nowhere else. */
export interface ProgressTarget {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Runs a simulation to its end and shows how far it is while it lasts. Between its steps it lets signals through; when it ends
 * or fails, nothing is left of the bar.
 */
export async function withProgressBar<T>(simulation: Generator<Progress, T>, target: ProgressTarget): Promise<T> {
  let shown = "";
  try {
    for (;;) {
      const step = simulation.next();
      if (step.done) return step.value;
      const line = barOf(step.value);
      if (target.isTTY && line !== shown) target.write(`${CLEAR_LINE}${forTerminal(line)}`);
      shown = line;
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    if (target.isTTY && shown !== "") target.write(CLEAR_LINE);
  }
}

function barOf({ done, doing }: Progress): string {
  const full = Math.floor(done * WIDTH);
  return `${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${String(Math.floor(done * 100)).padStart(3)}% ${doing}`;
}
