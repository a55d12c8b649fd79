import type { ContainerExplanation } from "../../explain/answer/explanation.ts";
import type { Page } from "../page/page.ts";
import { shorten, wrap } from "../page/width.ts";
import type { Note } from "./notes.ts";

/** So much of a line is shown; the beginning and the end of it tell most. */
const LINE_COLUMNS = 240;

/** With less room than this beside it, an indentation gives way. */
const TEXT_MIN_COLUMNS = 16;

/** What a container printed, next to the exit that it belongs to; nothing where nobody asked, or nothing could be read. */
export function logNotes({ logs }: ContainerExplanation): Note[] {
  const { previous = null, current = null } = logs ?? {};
  return [
    ...(previous === null ? [] : [noteOf("log", previous, "before this exit")]),
    ...(current === null ? [] : [noteOf("log now", current, "of the instance that runs")]),
  ];
}

function noteOf(label: Note["label"], lines: readonly string[], whose: string): Note {
  if (lines.length === 0) return { label, text: `No output ${whose}.` };
  const count = lines.length === 1 ? "The last line" : `The last ${lines.length} lines`;
  return { label, text: `${count} ${whose}:`, lines };
}

/** Lines as they are, below the text of their note and a little to its right; long ones are shortened, then broken. */
export function noteLines(lines: readonly string[], labelWidth: number, page: Page): string[] {
  const left = page.columns - labelWidth < 2 * TEXT_MIN_COLUMNS ? 2 : labelWidth + 2;
  return lines.flatMap((line) => {
    const text = line.trimStart();
    const indentation = Math.min(line.length - text.length, page.columns - left - TEXT_MIN_COLUMNS);
    const margin = " ".repeat(left + Math.max(0, indentation));
    const broken = wrap(shorten(text, LINE_COLUMNS), page.columns - margin.length);
    return broken.length === 0 ? [""] : broken.map((piece) => margin + piece);
  });
}
