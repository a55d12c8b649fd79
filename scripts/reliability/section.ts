/** One section of docs/reliability.md. */
export interface Section {
  /** The heading, without its number signs. */
  readonly title: string;
  /** Markdown. */
  readonly lines: readonly string[];
}

/** How much is to be tried. */
export interface Effort {
  /** True for the figures that are published; false for a quick look at fewer cases. */
  readonly isExtended: boolean;
  /** The executable that processes are started with. */
  readonly program: string;
}

/** A table in Markdown; cells are escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
}
