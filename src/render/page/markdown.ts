import { cellText, type Table } from "./columns.ts";
import { headingCase } from "./paint.ts";

/** Escapes what Markdown or HTML would interpret inside a line, and "$", which begins a formula on GitHub. */
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
