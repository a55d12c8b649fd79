import { displayWidth } from "../../src/render/page/width.ts";

/** A command is broken between its words only, because users paste it: a long word overhangs. */
const WORD_OF_A_COMMAND = /^ +(?:-[nc] )?(?:'[^']*'|[^\s'])+(?: \\)?$/;

/** Returns the lines that a terminal of this width would break. */
export function linesTooWide(text: string, columns: number): string[] {
  return text.split("\n").filter((line) => displayWidth(line) > columns && !WORD_OF_A_COMMAND.test(line));
}
