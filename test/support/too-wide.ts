import { expect } from "vitest";
import { displayWidth } from "../../src/render/page/width.ts";

/** A command is broken between its words only, because users paste it: a long word overhangs. */
const WORD_OF_A_COMMAND = /^ +(?:-[nc] )?(?:'[^']*'|[^\s'])+(?: \\)?$/;

const MOST_COLUMNS = 200;

/**
 * Expects that no line is wider than the terminal, at every width of a narrow one, every third up to the usual ones, and
 * every ninth of a wide one.
 */
export function expectToFit(print: (columns: number) => string, fewestColumns = 20): void {
  for (let columns = fewestColumns; columns <= MOST_COLUMNS; columns += columns < 50 ? 1 : columns < 90 ? 3 : 9)
    expect(linesTooWide(print(columns), columns)).toEqual([]);
}

/** Returns the lines that a terminal of this width would break. */
export function linesTooWide(text: string, columns: number): string[] {
  return text.split("\n").filter((line) => displayWidth(line) > columns && !WORD_OF_A_COMMAND.test(line));
}
