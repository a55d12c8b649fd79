import { renderJsonLine } from "../../render/json/json.ts";
import type { RenderOptions } from "../../render/page/page.ts";
import { changeKey, lastingTrouble } from "../../render/watch/live.ts";
import { newsLines } from "../../render/watch/live-lines.ts";
import { forTerminal } from "../terminal/standard-output.ts";
import type { Frame } from "./watch-session.ts";
import { TroubleNotes } from "./watch-trouble.ts";

/** Where the frames of a watch go. */
export interface WatchOutput {
  /** Resolves when there is room for more. */
  show(frame: Frame): Promise<void>;
  /** Leaves everything as one would want to find it. */
  close(): void;
}

/** Prints a result; resolves when there is room for more. */
export type Print = (text: string) => Promise<void>;

/** For pipes and files: one line for each change. */
export class LineOutput implements WatchOutput {
  readonly #print: Print;
  readonly #look: RenderOptions;
  #shown: Frame | null = null;

  constructor(print: Print, look: RenderOptions) {
    this.#print = print;
    this.#look = look;
  }

  async show(frame: Frame): Promise<void> {
    const lines = newsLines(this.#shown, frame, this.#look);
    this.#shown = frame;
    if (lines.length > 0) await this.#print(forTerminal(lines.map((line) => `${line}\n`).join("")));
  }

  close(): void {}
}

/** For programs: one Explanation on a line, whenever something in it has changed that is not the mere passing of time. */
export class JsonOutput implements WatchOutput {
  readonly #print: Print;
  #shown: string | null = null;

  constructor(print: Print) {
    this.#print = print;
  }

  async show({ explanation, end }: Frame): Promise<void> {
    const key = `${explanation.pods.map(changeKey)} ${end}`;
    if (key === this.#shown) return;
    this.#shown = key;
    await this.#print(renderJsonLine(explanation));
  }

  close(): void {}
}

/** The same output, with notes on the connection besides. */
export function withTroubleNotes(output: WatchOutput, note: (sentence: string) => void): WatchOutput {
  const notes = new TroubleNotes("the pod", note);
  return {
    show: (frame) => {
      notes.take(lastingTrouble(frame.trouble, frame.explanation.atMs));
      return output.show(frame);
    },
    close: () => output.close(),
  };
}
