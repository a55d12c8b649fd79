import type { Progress } from "../../simulate/progress.ts";
import { ProgressLine, type ProgressTarget } from "./progress-line.ts";

const WIDTH = 24;

/**
 * Runs a simulation to its end and shows how far it is while it lasts. Between its steps it lets signals through; when it ends
 * or fails, nothing is left of the bar.
 */
export async function withProgressBar<T>(simulation: Generator<Progress, T>, target: ProgressTarget): Promise<T> {
  const line = new ProgressLine(target);
  try {
    for (;;) {
      const step = simulation.next();
      if (step.done) return step.value;
      line.show(barOf(step.value));
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    line.clear();
  }
}

function barOf({ done, doing }: Progress): string {
  const full = Math.floor(done * WIDTH);
  return `${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${String(Math.floor(done * 100)).padStart(3)}% ${doing}`;
}
