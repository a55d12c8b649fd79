import { expect } from "vitest";
import { displayWidth } from "../../src/render/page/width.ts";

/** Users paste commands, so the program breaks a command only between words: a long word may be too wide. */
const WORD_OF_A_COMMAND = /^ +(?:-[nc] )?(?:'[^']*'|[^\s'])+(?: \\)?$/;

const MOST_COLUMNS = 200;

export function expectToFit(print: (columns: number) => string, fewestColumns = 20): void {
  for (let columns = fewestColumns; columns <= MOST_COLUMNS; columns += columns < 50 ? 1 : columns < 90 ? 3 : 9)
    expect(linesTooWide(print(columns), columns)).toEqual([]);
}

export function linesTooWide(text: string, columns: number): string[] {
  return text.split("\n").filter((line) => displayWidth(line) > columns && !WORD_OF_A_COMMAND.test(line));
}
