import type { NextStep, PodExplanation } from "../../explain/answer/explanation.ts";
import { labelledLines, type Page, withRemark } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { displayWidth } from "../page/width.ts";

const INDENT = "  ";
const GAP = "  ";

const LEAST_COLUMNS = 44;

export function commentOn({ changesCluster, note }: Pick<NextStep, "changesCluster" | "note">): string {
  return [...(changesCluster ? ["changes the cluster"] : []), ...(note === null ? [] : [note])].join(": ");
}

export function nextBlock({ nextSteps = [] }: Pick<PodExplanation, "nextSteps">, page: Page): string[] {
  if (nextSteps.length === 0) return [];
  const width = Math.max(...nextSteps.map(({ what }) => displayWidth(what))) + GAP.length;
  const column = { width, leastBeside: LEAST_COLUMNS };
  const steps = nextSteps.flatMap((step) => {
    const linesFor = (columns: number): string[] => stepLines(step, columns, page);
    return labelledLines(step.what, linesFor, page.columns - INDENT.length, column).map((line) => INDENT + line);
  });
  return [paint("Next", "title", page.color), ...steps];
}

function stepLines(step: NextStep, columns: number, page: Page): string[] {
  const command = commandLines(step.command, columns);
  const comment = commentOn({ ...step, note: step.noteWithValues ?? step.note });
  if (comment === "") return command;
  const painted = (line: string): string => paint(`# ${line}`, step.changesCluster ? "uneasy" : "quiet", page.color);
  return withRemark(command, comment, columns - "# ".length, painted);
}

/** Matches a word of a shell command. A word can contain quoted blanks. -n or -c and its value are one word. */
const WORDS = /(?:-[nc] )?(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g;

/** Breaks between words, with backslashes, so that a user can paste the command. */
export function commandLines(command: string, columns: number): string[] {
  if (displayWidth(command) <= columns) return [command];
  const lines: string[] = [];
  let line = "";
  for (const word of command.match(WORDS) ?? []) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && (line.endsWith(" &&") || displayWidth(longer) > columns - 2)) {
      lines.push(`${line} \\`);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
