import type { Explanation } from "../../explain/answer/explanation.ts";
import { type Times, timesAround } from "./times.ts";
import { wrap } from "./width.ts";

/** What the forms for people depend on besides the explanation. */
export interface RenderOptions {
  /** The terminal's width; less than 20 is taken as 20. */
  readonly columns: number;
  readonly color: boolean;
  /** Whether more than ASCII can be shown; left out: yes. */
  readonly unicode?: boolean;
  /** An IANA name; left out: the process's own. */
  readonly timeZone?: string;
}

/** What is printed on: how wide it is, whether in colour, and from which moment and zone its reader looks. */
export interface Page {
  readonly columns: number;
  readonly color: boolean;
  readonly unicode: boolean;
  readonly nowMs: number;
  readonly times: Times;
  /** An IANA name; undefined: the process's own. */
  readonly timeZone: string | undefined;
}

const MIN_COLUMNS = 20;

/** How wide a page is that is printed with these options. */
export function pageColumns({ columns }: Pick<RenderOptions, "columns">): number {
  return Math.max(MIN_COLUMNS, Math.floor(columns) || MIN_COLUMNS);
}

export function pageOf({ atMs }: Explanation, { columns, color, unicode, timeZone }: RenderOptions): Page {
  return {
    columns: pageColumns({ columns }),
    color,
    unicode: unicode ?? true,
    nowMs: atMs,
    times: timesAround(atMs, timeZone),
    timeZone,
  };
}

/** With less room than this beside it, a label stands on a line of its own. */
const TEXT_MIN_COLUMNS = 16;

/** A text with a label before its first line and as much space before the others, e.g. "why        It exits…". */
export function labelled(label: string, labelWidth: number, text: string, page: Pick<Page, "columns">): string[] {
  if (page.columns - labelWidth < TEXT_MIN_COLUMNS) {
    return [...wrap(label, page.columns), ...wrap(text, page.columns - 2).map((line) => `  ${line}`)];
  }
  return beside(label, labelWidth, text, page.columns);
}

/** The same wherever there is room for both. */
export function beside(label: string, labelWidth: number, text: string, columns: number): string[] {
  return wrap(text, columns - labelWidth).map((line, index) => (index === 0 ? label : "").padEnd(labelWidth) + line);
}

/** Blocks of lines as lines, with an empty one between two blocks; a block without lines is left out. */
export function stacked(blocks: readonly (readonly string[])[]): string[] {
  const told = blocks.filter((lines) => lines.length > 0);
  return told.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

/** Blocks of lines as a text, empty without any line. */
export function textOf(blocks: readonly (readonly string[])[]): string {
  return stacked(blocks)
    .map((line) => `${line}\n`)
    .join("");
}
