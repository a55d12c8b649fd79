export interface Candidate {
  readonly text: string;
  readonly description: string | null;
}

/** Values of cobra's `ShellCompDirective` (github.com/spf13/cobra v1.10.2, completions.go). */
export const DIRECTIVES = { files: 0, noSpace: 2, noFiles: 4, keepOrder: 32 } as const;

export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly directive: number;
}

export const NOTHING: Completion = { candidates: [], directive: DIRECTIVES.noFiles };

export const FILES: Completion = { candidates: [], directive: DIRECTIVES.files };

export function plain(texts: readonly string[]): Candidate[] {
  return texts.map((text) => ({ text, description: null }));
}

export function inOrder(candidates: readonly Candidate[]): Completion {
  return candidates.length === 0 ? NOTHING : { candidates, directive: DIRECTIVES.noFiles | DIRECTIVES.keepOrder };
}

/** The name of a context can contain these characters, but a shell may be unable to complete such a name. */
const UNUSABLE = /[\s\p{Cc}]/u;

export function completionText({ candidates, directive }: Completion, typed: string): string {
  const fitting = candidates.filter(({ text }) => text.startsWith(typed) && !UNUSABLE.test(text) && text !== "");
  const lines = fitting.map(({ text, description }) => {
    return description ? `${text}\t${description.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()}` : text;
  });
  return [...new Set(lines), `:${directive}`].map((line) => `${line}\n`).join("");
}
