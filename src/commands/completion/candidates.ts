/** Something that could stand at the cursor. */
export interface Candidate {
  readonly text: string;
  /** What the shell shows beside it; null: nothing. */
  readonly description: string | null;
}

/** What the shell is told: cobra's `ShellCompDirective` (github.com/spf13/cobra v1.10.2, completions.go), bit by bit. */
export const DIRECTIVES = {
  /** Let the shell complete names of files. */
  files: 0,
  /** No blank after it: more is to be typed. */
  noSpace: 2,
  noFiles: 4,
  /** The order means something. */
  keepOrder: 32,
} as const;

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** A sum of `DIRECTIVES`. */
  readonly directive: number;
}

/** Nothing fits, and files do not either. */
export const NOTHING: Completion = { candidates: [], directive: DIRECTIVES.noFiles };

export const FILES: Completion = { candidates: [], directive: DIRECTIVES.files };

export function plain(texts: readonly string[]): Candidate[] {
  return texts.map((text) => ({ text, description: null }));
}

/** Candidates whose order means something; no files. */
export function inOrder(candidates: readonly Candidate[]): Completion {
  return candidates.length === 0 ? NOTHING : { candidates, directive: DIRECTIVES.noFiles | DIRECTIVES.keepOrder };
}

/** What cannot be a word or would break the lines: names of contexts can be anything. */
const UNUSABLE = /[\s\p{Cc}]/u;

/** The answer as kubectl reads it: a line for each that begins with what is typed, and the directive. */
export function completionText({ candidates, directive }: Completion, typed: string): string {
  const fitting = candidates.filter(({ text }) => text.startsWith(typed) && !UNUSABLE.test(text) && text !== "");
  const lines = fitting.map(({ text, description }) => (description ? `${text}\t${oneLine(description)}` : text));
  return [...new Set(lines), `:${directive}`].map((line) => `${line}\n`).join("");
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
}
