import CliTable from "cli-table3";
import { paint, type Tone } from "./paint.ts";
import { displayWidth } from "./width.ts";

export type Cell = string | { readonly text: string; readonly tone: Tone };

export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const GAP = "  ";

const EDGES = "top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right".split(" ");
const LINES = ["left", "left-mid", "mid", "mid-mid", "right", "right-mid"];
const NO_BORDER = { ...Object.fromEntries([...EDGES, ...LINES].map((part) => [part, ""])), middle: GAP };

/** The lines of a table. Columns after the first are figures, aligned to the right, unless all columns are `words`. */
export function tableLines({ headings, rows }: Table, color: boolean, kind: "figures" | "words" = "figures"): string[] {
  const table = new CliTable({
    head: headings.map((text) => paint(text, "quiet", color)),
    chars: NO_BORDER,
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
    colAligns: headings.map((_, column) => (column > 0 && kind === "figures" ? "right" : "left")),
  });
  for (const row of rows)
    table.push(row.map((cell) => (typeof cell === "string" ? cell : paint(cell.text, cell.tone, color))));
  const lines = table.toString().split("\n");
  return lines.map((line) => line.trimEnd());
}

export function widestFitting(tables: readonly Table[], columns: number): Table | undefined {
  return tables.find((table) => tableWidth(table) <= columns);
}

/** How many columns of a terminal a table takes. */
export function tableWidth({ headings, rows }: Table): number {
  const widths = headings.map((heading, column) => {
    const cells = [heading, ...rows.map((row) => row[column] ?? "")];
    return Math.max(...cells.map((cell) => displayWidth(typeof cell === "string" ? cell : cell.text)));
  });
  return widths.reduce((sum, width) => sum + GAP.length + width, -GAP.length);
}

export function withoutColumns({ headings, rows }: Table, left: readonly number[]): Table {
  const isKept = (_: unknown, column: number): boolean => !left.includes(column);
  return { headings: headings.filter(isKept), rows: rows.map((row) => row.filter(isKept)) };
}
