import xterm from "@xterm/headless";
import type { Palette } from "../../src/render/page/palette.ts";

export interface TextStyle {
  readonly color: keyof Pick<Palette, "ink" | "quiet" | "good" | "uneasy" | "bad" | "accent">;
  readonly isBold: boolean;
}

export type ScreenLine = readonly { readonly text: string; readonly column: number; readonly style: TextStyle }[];

/** By the number of ANSI's palette. */
const COLORS: Readonly<Record<number, TextStyle["color"]>> = {
  1: "bad",
  2: "good",
  3: "uneasy",
  4: "accent",
  6: "accent",
};
const MOST_ROWS = 200;

export async function screenLines(output: string, columns: number): Promise<ScreenLine[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows: MOST_ROWS, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const buffer = terminal.buffer.active;
  const lines = Array.from({ length: MOST_ROWS }, (_, row) => lineOf(buffer.getLine(row), columns));
  terminal.dispose();
  return lines.slice(0, lines.findLastIndex((line) => line.length > 0) + 1);
}

type BufferLine = ReturnType<InstanceType<typeof xterm.Terminal>["buffer"]["active"]["getLine"]>;

function lineOf(line: BufferLine, columns: number): ScreenLine {
  const runs: { text: string; column: number; style: TextStyle }[] = [];
  for (let column = 0; column < columns; column++) {
    const cell = line?.getCell(column);
    const text = cell?.getChars() ?? "";
    if (cell === undefined || text === "") continue;
    const style: TextStyle = {
      color: cell.isDim() ? "quiet" : cell.isFgPalette() ? (COLORS[cell.getFgColor() % 8] ?? "ink") : "ink",
      isBold: cell.isBold() !== 0,
    };
    const last = runs.at(-1);
    const continues = last !== undefined && last.column + [...last.text].length === column;
    if (continues && (text === " " || (last.style.color === style.color && last.style.isBold === style.isBold)))
      last.text += text;
    else if (text !== " ") runs.push({ text, column, style });
  }
  return runs.map((run) => ({ ...run, text: run.text.trimEnd() }));
}
