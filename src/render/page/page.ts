import type { Explanation } from "../../explain/answer/explanation.ts";
import { type Times, timesAround } from "./times.ts";
import { displayWidth, wrap } from "./width.ts";

export interface RenderOptions {
  readonly columns: number;
  readonly color: boolean;
  /** An IANA name. Default: the time zone of the process. */
  readonly timeZone?: string | undefined;
}

export interface Moment {
  readonly nowMs: number;
  readonly times: Times;
}

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
  readonly width?: number;
  /** The minimum width of the text beside a label. */
  readonly leastBeside?: number;
}

export function labelled(label: string, text: string, page: Pick<Page, "columns">, width?: number): string[] {
  return labelledLines(label, (columns) => wrap(text, columns), page.columns, width === undefined ? {} : { width });
}

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

export function stacked(blocks: readonly (readonly string[])[]): string[] {
  return blocks.filter(({ length }) => length > 0).flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

export function pageText(blocks: readonly (readonly string[])[]): string {
  return stacked(blocks)
    .map((line) => `${line}\n`)
    .join("");
}
