import { columnWidths, lineWidth } from "../page/columns.ts";
import { clipped, displayWidth } from "../page/width.ts";
import { briefCell } from "./list-cells.ts";

export interface ColumnLayout {
  /** A long name gets a line of its own instead of being cut, because users paste names. */
  readonly isName?: boolean;
  /** Not for names, because `briefCell` would shorten a pod named "unknown". */
  readonly hasBriefForm?: boolean;
  /** A column without a minimum is never cut. */
  readonly leastWidth?: number;
  /** If the column is cut below this width, `isExtra` columns may be left out. */
  readonly usefulWidth?: number;
  readonly isExtra?: boolean;
  /** On a narrow terminal, the column with the lowest number is left out first; without a number, a column stays. */
  readonly dropOrder?: number;
}

const GAP = 3;
const NARROW_GAP = 1;
const MOST = Number.POSITIVE_INFINITY;

export function fittingLines(
  rows: readonly (readonly string[])[],
  columns: readonly ColumnLayout[],
  most: number,
): string[][] {
  const { lines, isTooWide, isCramped } = aligned(rows, columns, most);
  const dropped = Math.min(...columns.map(({ dropOrder = MOST }) => dropOrder));
  const isExtra = columns.some((column) => column.dropOrder === dropped && column.isExtra === true);
  if (dropped === MOST || !(isTooWide || (isCramped && isExtra))) return lines;
  const kept = <T>(cells: readonly T[]): T[] => cells.filter((_, index) => columns[index]?.dropOrder !== dropped);
  return fittingLines(rows.map(kept), kept(columns), most);
}

function aligned(rows: readonly (readonly string[])[], columns: readonly ColumnLayout[], most: number) {
  const whole = columnWidths(rows);
  const isWhole = lineWidth(whole, GAP) <= most;
  if (isWhole) return { lines: rows.map((row) => [lineOf(row, whole, GAP)]), isTooWide: false, isCramped: false };
  const brief = rows.map((row) =>
    row.map((cell, index) => (columns[index]?.hasBriefForm === true ? briefCell(cell) : cell)),
  );
  const names = columns.filter(({ isName }) => isName === true).length;
  const nameIn = (row: readonly string[]): string => row.slice(0, names).join(" ".repeat(NARROW_GAP));
  const nameless = (row: readonly string[]): string[] => row.map((cell, index) => (index < names ? "" : cell));
  const others = columnWidths(brief.map(nameless)).map((width, index) =>
    columns[index]?.leastWidth === undefined ? width : Math.min(width, most * CAUSE_SHARE),
  );
  const mostForNames = Math.max(most - lineWidth(others, NARROW_GAP), most * SHORT_NAME_SHARE);
  const hasOwnLine = (row: readonly string[]): boolean => displayWidth(nameIn(row)) > mostForNames;
  const natural = columnWidths(brief.map((row) => (hasOwnLine(row) ? nameless(row) : row)));
  const excess = Math.max(0, lineWidth(natural, NARROW_GAP) - most);
  const widths = natural.map((width, index) => {
    const least = columns[index]?.leastWidth;
    return least === undefined ? width : Math.max(Math.min(width, least), width - excess);
  });
  const lines = brief.map((row) =>
    hasOwnLine(row) ? [nameIn(row), lineOf(nameless(row), widths, NARROW_GAP)] : [lineOf(row, widths, NARROW_GAP)],
  );
  return {
    lines,
    isTooWide: lines.some((linesOfRow) => displayWidth(linesOfRow.at(-1) ?? "") > most),
    isCramped: columns.some(({ usefulWidth = 0 }, index) => {
      return (widths[index] ?? 0) < Math.min(natural[index] ?? 0, usefulWidth);
    }),
  };
}

const CAUSE_SHARE = 0.2;
const SHORT_NAME_SHARE = 0.2;

export function lineOf(row: readonly string[], widths: readonly number[], gap: number): string {
  const cells = row.map((cell, index) => {
    const width = widths[index] ?? 0;
    const shown = clipped(cell, Math.max(1, width));
    return shown + " ".repeat(Math.max(0, width + gap - displayWidth(shown)));
  });
  return cells.join("").trimEnd();
}
