import { columnWidths, lineWidth } from "../page/columns.ts";
import { clipped, displayWidth } from "../page/width.ts";
import { briefCell } from "./list-rows.ts";

export interface ColumnLayout {
  /** Whether the column is the namespace or the name of what the row is about. Names are never cut. */
  readonly isName?: boolean;
  /** The minimum width of the column on a narrow terminal. A column without it is never cut. */
  readonly leastWidth?: number;
  /** If the column is cut below this width, `isExtra` columns are left out to make room for it. */
  readonly usefulWidth?: number;
  readonly isExtra?: boolean;
  /** On a narrow terminal, the column with 1 is left out first, then 2, …; a column without a number always stays. */
  readonly dropOrder?: number;
}

const GAP = 3;
const NARROW_GAP = 1;
const MOST = Number.POSITIVE_INFINITY;

/**
 * Returns the lines of each row. Leaves out columns in their `dropOrder` until no line but a name is wider than `most`:
 * a terminal breaks wider lines, which moves their cells. Leaves out an `isExtra` column also if another column has
 * less than its useful width.
 */
export function withFewer(
  rows: readonly (readonly string[])[],
  columns: readonly ColumnLayout[],
  most: number,
): string[][] {
  const { lines, isCramped } = aligned(rows, columns, most);
  const dropped = Math.min(...columns.map(({ dropOrder = MOST }) => dropOrder));
  const isTooWide = (line: string): boolean => displayWidth(line) > most && !isName(line, rows, columns);
  const isExtra = columns.some((column) => column.dropOrder === dropped && column.isExtra === true);
  if (dropped === MOST || !(lines.flat().some(isTooWide) || (isCramped && isExtra))) return lines;
  const kept = <T>(cells: readonly T[]): T[] => cells.filter((_, index) => columns[index]?.dropOrder !== dropped);
  return withFewer(rows.map(kept), kept(columns), most);
}

/** Whether the line is only a name, which is never cut. */
function isName(line: string, rows: readonly (readonly string[])[], columns: readonly ColumnLayout[]): boolean {
  return rows.some((row) => nameIn(row, columns) === line);
}

function nameIn(row: readonly string[], columns: readonly ColumnLayout[]): string {
  return row.slice(0, nameColumns(columns)).join(" ".repeat(NARROW_GAP));
}

function nameColumns(columns: readonly ColumnLayout[]): number {
  return columns.filter(({ isName: isOne }) => isOne === true).length;
}

/** Returns the lines of each row, two if its name is long, and whether a column has less than its useful width. */
function aligned(rows: readonly (readonly string[])[], columns: readonly ColumnLayout[], most: number) {
  const whole = columnWidths(rows);
  if (lineWidth(whole, GAP) <= most) return { lines: rows.map((row) => [lineOf(row, whole, GAP)]), isCramped: false };
  const brief = rows.map((row) => row.map(briefCell));
  const count = nameColumns(columns);
  const others = columnWidths(brief).map((width, index) => {
    if (index < count) return 0;
    return columns[index]?.leastWidth === undefined ? width : Math.min(width, most * USUAL_FOR_CAUSE);
  });
  const room = most - lineWidth(others, NARROW_GAP);
  // A longer name has a line of its own, so that it takes no room from the other rows.
  const mostForNames = Math.max(room, most * LEAST_FOR_NAMES);
  const hasOwnLine = (row: readonly string[]): boolean => displayWidth(nameIn(row, columns)) > mostForNames;
  const natural = columnWidths(
    brief.map((row) => (hasOwnLine(row) ? [...row.slice(0, count).fill(""), ...row.slice(count)] : row)),
  );
  const widths = fitted(natural, columns, most);
  const lines = brief.map((row) => {
    if (!hasOwnLine(row)) return [lineOf(row, widths, NARROW_GAP)];
    return [nameIn(row, columns), lineOf([...row.slice(0, count).fill(""), ...row.slice(count)], widths, NARROW_GAP)];
  });
  const isCramped = columns.some(({ usefulWidth = 0 }, index) => {
    return (widths[index] ?? 0) < Math.min(natural[index] ?? 0, usefulWidth);
  });
  return { lines, isCramped };
}

/** The maximum share of a narrow terminal's width that the cause can keep from the names. */
const USUAL_FOR_CAUSE = 0.2;
/** A name that takes at most this share of a narrow terminal's width never gets a line of its own. */
const LEAST_FOR_NAMES = 0.2;

function leastWidth(width: number, column: ColumnLayout | undefined): number {
  return Math.min(width, column?.leastWidth ?? width);
}

function lineOf(row: readonly string[], widths: readonly number[], gap: number): string {
  const cells = row.map((cell, index) =>
    padded(clipped(cell, Math.max(1, widths[index] ?? 1)), (widths[index] ?? 0) + gap),
  );
  return cells.join("").trimEnd();
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/**
 * Returns the widths of the columns, with the column that may be cut narrowed until a line fits in `most`, but not
 * below its `leastWidth`.
 */
function fitted(natural: readonly number[], columns: readonly ColumnLayout[], most: number): number[] {
  const excess = Math.max(0, lineWidth(natural, NARROW_GAP) - most);
  return natural.map((width, index) => {
    return Math.max(leastWidth(width, columns[index]), width - (columns[index]?.leastWidth === undefined ? 0 : excess));
  });
}
