import { paint, type Tone } from "./paint.ts";
import { displayWidth } from "./width.ts";

/** A cell of a table of figures. */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
}

const GAP = "  ";

/** Headings and rows as lines: the first column to the left, the figures to the right, no wider than they must be. */
export function columnLines(headings: readonly string[], rows: readonly (readonly Cell[])[], color: boolean): string[] {
  const head = headings.map((text): Cell => ({ text, tone: "quiet" }));
  const all = [head, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => displayWidth(row[column]?.text ?? ""))));
  return all.map((row) =>
    row
      .map(({ text, tone }, column) => {
        const blanks = " ".repeat((widths[column] ?? 0) - displayWidth(text));
        const shown = tone === undefined ? text : paint(text, tone, color);
        if (column > 0) return blanks + shown;
        return row.length > 1 ? shown + blanks : shown;
      })
      .join(GAP),
  );
}

/** The columns that the widest of the lines takes. */
export function widthOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map(displayWidth));
}
