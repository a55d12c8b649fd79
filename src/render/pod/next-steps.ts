import type { NextStep, PodExplanation } from "../../explain/answer/explanation.ts";
import type { Page } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { displayWidth, wrap } from "../page/width.ts";

const INDENT = "  ";
const GAP = "  ";

/** A command with less room than this beside its purpose stands below it. */
const LEAST_COLUMNS = 44;

/** What stands behind a command as a comment: that it changes the cluster, and what else to know. Empty for most. */
export function commentOn({ changesCluster, note }: NextStep): string {
  return [...(changesCluster ? ["changes the cluster"] : []), ...(note === null ? [] : [note])].join("; ");
}

/** What a reader may do next: purposes, commands, comments. A command on several lines can be pasted as it is. */
export function nextBlock({ nextSteps = [] }: PodExplanation, page: Page): string[] {
  if (nextSteps.length === 0) return [];
  const purposeWidth = INDENT.length + Math.max(...nextSteps.map(({ what }) => displayWidth(what))) + GAP.length;
  const isBeside = page.columns - purposeWidth >= LEAST_COLUMNS;
  const left = isBeside ? purposeWidth : 2 * INDENT.length;
  const steps = nextSteps.flatMap((step) => {
    const lines = stepLines(step, page.columns - left, page).map((line) => " ".repeat(left) + line);
    const [first = "", ...others] = lines;
    if (isBeside) return [(INDENT + step.what).padEnd(left) + first.trimStart(), ...others];
    return [...wrap(step.what, page.columns - INDENT.length).map((line) => INDENT + line), ...lines];
  });
  return [paint("Next", "title", page.color), ...steps];
}

function stepLines(step: NextStep, columns: number, page: Page): string[] {
  const command = commandLines(step.command, columns);
  const comment = commentOn(step);
  if (comment === "") return command;
  const painted = (line: string): string => paint(`# ${line}`, step.changesCluster ? "uneasy" : "quiet", page.color);
  const last = command.at(-1) ?? "";
  const isRoom = displayWidth(last) + GAP.length + 2 + displayWidth(comment) <= columns;
  if (isRoom) return [...command.slice(0, -1), last + GAP + painted(comment)];
  return [...command, ...wrap(comment, columns - 2).map(painted)];
}

/** A shell word, whose quoted parts hold blanks, with the short flag before it that it belongs to. */
const WORDS = /(?:-[nc] )?(?:'[^']*'|\\.|[^\s'\\])+/g;

/** A command on as many lines as it takes, broken between its words as a shell takes it. */
function commandLines(command: string, columns: number): string[] {
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
  // Only on the narrowest pages, and for the longest names, is a word broken.
  return [...lines, line].flatMap((whole) => (displayWidth(whole) > columns ? wrap(whole, columns) : [whole]));
}
