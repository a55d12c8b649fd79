import { labelled, pageColumns, pageText, stacked } from "./page/page.ts";
import { wrap } from "./page/width.ts";

export interface HelpEntry {
  readonly head: string;
  readonly text: string;
}

export interface HelpGroup {
  readonly title: string;
  readonly entries: readonly HelpEntry[];
  readonly folded?: readonly string[];
}

interface CommandHelp {
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
  readonly groups: readonly HelpGroup[];
  readonly usage: readonly string[];
}

interface ProgramHelp extends Pick<CommandHelp, "summary" | "examples" | "usage"> {
  readonly commands: readonly (readonly [name: string, summary: string])[];
  readonly hint: string;
}

const MOST_COLUMNS = 100;
const LEAST_COLUMNS = 40;

export function renderCommandHelp(help: CommandHelp, columns: number): string {
  const width = widthFor(columns);
  return pageText([
    wrap(help.summary, width),
    wrap(help.description, width - 1).map((line) => ` ${line}`),
    section("Examples:", exampleLines(help.examples)),
    ...help.groups.map(({ title, entries, folded = [] }) => {
      const explained = entries.map(({ head, text }) => {
        return [`    ${head}:`, ...wrap(text, width - 8).map((line) => `        ${line}`)];
      });
      const names = wrap(folded.join(", "), width - 4).map((line) => `    ${line}`);
      return section(title, [...stacked(explained), ...names]);
    }),
    section("Usage:", help.usage.map(indented)),
  ]);
}

export function renderProgramHelp(help: ProgramHelp, columns: number): string {
  const width = widthFor(columns);
  const nameWidth = Math.max(...help.commands.map(([name]) => name.length)) + 2;
  const commands = help.commands.flatMap(([name, summary]) =>
    labelled(name, summary, { columns: width - 2 }, nameWidth),
  );
  return pageText([
    wrap(help.summary, width),
    section("Examples:", exampleLines(help.examples)),
    section("Available Commands:", commands.map(indented)),
    section("Usage:", help.usage.map(indented)),
    wrap(help.hint, width),
  ]);
}

export function renderNamed(
  entries: readonly { readonly name: string; readonly title: string }[],
  columns: number,
): string {
  const nameWidth = Math.max(...entries.map(({ name }) => name.length)) + 2;
  const page = { columns: pageColumns({ columns }) };
  return pageText([entries.flatMap(({ name, title }) => labelled(name, title, page, nameWidth))]);
}

function widthFor(columns: number): number {
  return Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, columns));
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

/** Does not wrap lines, so that a user can copy the commands. */
function exampleLines(examples: readonly string[]): string[] {
  return stacked(examples.map((example) => example.split("\n").map((line) => indented(line.trim()))));
}

function indented(line: string): string {
  return `  ${line}`;
}
