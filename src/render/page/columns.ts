import CliTable from "cli-table3";
import { paint, type Tone } from "./paint.ts";
import { displayWidth } from "./width.ts";

export type Cell = string | { readonly text: string; readonly tone: Tone };

export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const GAP = 2;

const EDGES = "top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right".split(" ");
const LINES = ["left", "left-mid", "mid", "mid-mid", "right", "right-mid"];
const NO_BORDER = {
  ...Object.fromEntries([...EDGES, ...LINES].map((part) => [part, ""])),
  middle: " ".repeat(GAP),
};

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

export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const [first = []] = rows;
  return first.map((_, column) => rows.reduce((most, row) => Math.max(most, displayWidth(row[column] ?? "")), 0));
}

export function lineWidth(widths: readonly number[], gap: number): number {
  return widths.reduce((sum, width) => sum + gap + width, -gap);
}

export function tableWidth({ headings, rows }: Table): number {
  return lineWidth(columnWidths([headings, ...rows.map((row) => row.map(cellText))]), GAP);
}

export function cellText(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

export function widestFitting(tables: readonly Table[], columns: number): Table | undefined {
  return tables.find((table) => tableWidth(table) <= columns);
}
