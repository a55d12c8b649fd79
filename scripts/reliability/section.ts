/** One section of docs/reliability.md. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface Effort {
  /** True for the published figures; false for a quick look at fewer cases. */
  readonly isExtended: boolean;
  readonly program: string;
}

/** Cells are escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
}
