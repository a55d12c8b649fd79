import type { Explanation } from "../../explain/answer/explanation.ts";
import { type Times, timesAround } from "./times.ts";
import { displayWidth, wrap } from "./width.ts";

export interface RenderOptions {
  /** The terminal's width. Less than 20 counts as 20. */
  readonly columns: number;
  readonly color: boolean;
  /** An IANA name. Default: the time zone of the process. */
  readonly timeZone?: string | undefined;
}

/** The instant that an output takes for now, and how it prints instants. */
export interface Moment {
  readonly nowMs: number;
  readonly times: Times;
}

/** The options of one output, with a width of at least 20, and its moment. */
export interface Page extends RenderOptions, Moment {}

const MIN_COLUMNS = 20;

export function pageColumns({ columns }: Pick<RenderOptions, "columns">): number {
  return Math.max(MIN_COLUMNS, Math.floor(columns) || MIN_COLUMNS);
}

export function pageOf({ atMs }: Explanation, options: RenderOptions): Page {
  const times = timesAround(atMs, options.timeZone);
  return { ...options, columns: pageColumns(options), nowMs: atMs, times };
}

interface LabelColumn {
  /**
   * The width of the label and the space after it. Default: the longest labels of notes ("inferred", "observed") and
   * three spaces.
   */
  readonly width?: number;
  /** The minimum width of a text beside a label. If fewer columns remain, the label gets a line of its own. */
  readonly leastBeside?: number;
}

/**
 * Returns the lines of a text with a label before the first: "why        It exits…". The other lines are indented by
 * `width`. On a narrow page, the label has a line of its own, and the text is indented by 2.
 */
export function labelled(label: string, text: string, page: Pick<Page, "columns">, width?: number): string[] {
  return labelledLines(label, (columns) => wrap(text, columns), page.columns, width === undefined ? {} : { width });
}

/** Returns lines with a label, like {@link labelled}. `linesFor` returns the lines for a number of columns. */
export function labelledLines(
  label: string,
  linesFor: (columns: number) => readonly string[],
  columns: number,
  { width = 11, leastBeside = 16 }: LabelColumn = {},
): string[] {
  const isBeside = columns - width >= leastBeside;
  if (isBeside)
    return linesFor(columns - width).map((line, index) => ((index === 0 ? label : "").padEnd(width) + line).trimEnd());
  return [...wrap(label, columns), ...linesFor(columns - 2).map((line) => `  ${line}`.trimEnd())];
}

/**
 * Returns the lines with a remark after the last one, or below it if there is no room. `painted` colours a line of the
 * remark.
 */
export function withRemark(
  lines: readonly string[],
  remark: string,
  columns: number,
  painted: (line: string) => string,
): string[] {
  const last = `${lines.at(-1) ?? ""}  `;
  if (displayWidth(last) + displayWidth(remark) > columns) return [...lines, ...wrap(remark, columns).map(painted)];
  return [...lines.slice(0, -1), last + painted(remark)];
}

/** Joins blocks of lines with an empty line between two blocks. Leaves out blocks without lines. */
export function stacked(blocks: readonly (readonly string[])[]): string[] {
  return blocks.filter(({ length }) => length > 0).flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

/** Joins blocks of lines to a text that ends with a newline; "" if no block has a line. */
export function pageText(blocks: readonly (readonly string[])[]): string {
  return stacked(blocks)
    .map((line) => `${line}\n`)
    .join("");
}
