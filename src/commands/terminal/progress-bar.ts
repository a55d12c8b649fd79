import { clipped } from "../../render/page/width.ts";
import type { Progress } from "../../simulate/contention.ts";
import { forTerminal, type TerminalStream } from "./standard-output.ts";

const WIDTH = 24;

export async function withProgressBar<T>(simulation: Generator<Progress, T>, target: TerminalStream): Promise<T> {
  const line = progressLine(target);
  try {
    for (;;) {
      const step = simulation.next();
      if (step.done) return step.value;
      line.show(barOf(step.value));
      // Lets Node handle signals between two steps.
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    line.clear();
  }
}

function barOf({ done, doing }: Progress): string {
  const full = Math.floor(done * WIDTH);
  return `${"█".repeat(full)}${"·".repeat(WIDTH - full)} ${String(Math.floor(done * 100)).padStart(3)}% ${doing}`;
}

const CLEAR_LINE = "\r\u001b[K";

export function progressLine(target: TerminalStream) {
  let shown = "";
  return {
    show: (text: string): void => {
      // CLEAR_LINE clears one row of the terminal, so the text must not wrap.
      const line = clipped(text, (target.columns || 80) - 1);
      if (target.isTTY && text !== shown) target.write(`${CLEAR_LINE}${forTerminal(line)}`);
      shown = text;
    },
    clear: (): void => {
      if (target.isTTY && shown !== "") target.write(CLEAR_LINE);
      shown = "";
    },
  };
}
