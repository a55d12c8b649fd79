/** The columns after the first `texts` columns are aligned right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  texts = head.length,
): string[] {
  const rules = head.map((_, index) => (index < texts ? "---" : "---:"));
  return [head, rules, ...rows].map(markdownRow);
}

export function markdownRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll(/\s+/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
}
