import { cellText, type Table } from "./columns.ts";
import { headingCase } from "./paint.ts";

/** On GitHub, "$" may begin a formula. */
export function escapeInMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|~&$#!]/g, "\\$&");
}

export function markdownTable({ headings, rows }: Table, alignment: "---" | "---:" = "---"): string[] {
  return [
    markdownRow(headings.map(headingCase)),
    `|${` ${alignment} |`.repeat(headings.length)}`,
    ...rows.map((row) => markdownRow(row.map(cellText))),
  ];
}

export function markdownRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeInMarkdown).join(" | ")} |`;
}
