import type { Explanation } from "../../explain/answer/explanation.ts";
import { type Times, timesAround } from "./times.ts";
import { displayWidth, wrap } from "./width.ts";

export interface RenderOptions {
  /** The terminal's width; less than 20 counts as 20. */
  readonly columns: number;
  readonly color: boolean;
  /** False: ASCII only. Default: true. */
  readonly unicode?: boolean;
  /** An IANA name. Default: the time zone of the process. */
  readonly timeZone?: string | undefined;
}

/** The options of a text with their defaults, and the moment that the text is about. */
export interface Page extends RenderOptions {
  readonly unicode: boolean;
  readonly nowMs: number;
  readonly times: Times;
}

const MIN_COLUMNS = 20;

export function pageColumns({ columns }: RenderOptions): number {
  return Math.max(MIN_COLUMNS, Math.floor(columns) || MIN_COLUMNS);
}

export function pageOf({ atMs }: Explanation, options: RenderOptions): Page {
  const times = timesAround(atMs, options.timeZone);
  return { ...options, columns: pageColumns(options), unicode: options.unicode ?? true, nowMs: atMs, times };
}

/** The columns of a label before a note: the longest label ("inferred", "observed") and three blanks. */
export const LABEL_WIDTH = 11;

/** If fewer columns than this remain beside a label, the label gets a line of its own. */
const TEXT_MIN_COLUMNS = 16;

/** A text with a label before its first line and as much space before the others, e.g. "why        It exits…". */
export function labelled(label: string, text: string, { columns }: Pick<Page, "columns">, width = LABEL_WIDTH) {
  if (columns - width >= TEXT_MIN_COLUMNS) return beside(label, width, text, columns);
  return [...wrap(label, columns), ...wrap(text, columns - 2).map((line) => `  ${line}`)];
}

/** {@link labelled}, but the label stays beside the text on a narrow page, too. */
export function beside(label: string, labelWidth: number, text: string, columns: number): string[] {
  return wrap(text, columns - labelWidth).map((line, index) => (index === 0 ? label : "").padEnd(labelWidth) + line);
}

/** Lines with a remark behind the last one, or below it if there is no room. `painted` colours a line of the remark. */
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

/** The lines of all blocks, with an empty line between two blocks; a block without lines is left out. */
export function stacked(blocks: readonly (readonly string[])[]): string[] {
  return blocks.filter(({ length }) => length > 0).flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

/** Blocks of lines as a text that ends with a newline; empty if no block has a line. */
export function textOf(blocks: readonly (readonly string[])[]): string {
  return stacked(blocks)
    .map((line) => `${line}\n`)
    .join("");
}
