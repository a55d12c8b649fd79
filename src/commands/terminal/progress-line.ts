import { forTerminal } from "./terminal-text.ts";

/** Where a line of progress is shown: on a terminal, and nowhere else. */
export interface ProgressTarget {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const CLEAR_LINE = "\r\u001b[K";

/** How far something is, in one line that is gone in the end. */
export class ProgressLine {
  readonly #target: ProgressTarget;
  #shown = "";

  constructor(target: ProgressTarget) {
    this.#target = target;
  }

  /** In the place of what was shown before. */
  show(text: string): void {
    if (this.#target.isTTY && text !== this.#shown) this.#target.write(`${CLEAR_LINE}${forTerminal(text)}`);
    this.#shown = text;
  }

  clear(): void {
    if (this.#target.isTTY && this.#shown !== "") this.#target.write(CLEAR_LINE);
    this.#shown = "";
  }
}
