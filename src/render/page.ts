import type { Times } from "./times.ts";
import { wrap } from "./width.ts";

/** What is printed on: how wide it is, whether in colour, and from which moment and zone its reader looks. */
export interface Page {
  readonly columns: number;
  readonly color: boolean;
  readonly nowMs: number;
  readonly times: Times;
}

/** With less room than this beside it, a label stands on a line of its own. */
const TEXT_MIN_COLUMNS = 16;

/** A text with a label before its first line and as much space before the others, e.g. "why        It exits…". */
export function labelled(label: string, labelWidth: number, text: string, page: Page): string[] {
  if (page.columns - labelWidth < TEXT_MIN_COLUMNS) {
    return [...wrap(label, page.columns), ...wrap(text, page.columns - 2).map((line) => `  ${line}`)];
  }
  return wrap(text, page.columns - labelWidth).map(
    (line, index) => (index === 0 ? label : "").padEnd(labelWidth) + line,
  );
}
