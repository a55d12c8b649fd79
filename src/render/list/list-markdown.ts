import type { BackoffList } from "../../explain/answer/backoff-list.ts";
import { asOf } from "../page/as-of.ts";
import { escapeInMarkdown as escaped } from "../page/harmless.ts";
import { pageText } from "../page/page.ts";
import { headingCase } from "../page/paint.ts";
import { timesAround } from "../page/times.ts";
import { commonLines, totalsLine } from "./list-sentences.ts";
import { type ListLook, listCells } from "./list-table.ts";

/** Returns the list in Markdown, for a ticket or a chat; "" for an empty list. */
export function renderListMarkdown(list: BackoffList, look: ListLook): string {
  const { headings, rows } = listCells(list, look);
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  return pageText([
    commonLines(list, look.timeZone).map(escaped),
    [escaped(totalsLine(list))],
    [
      line(headings.map(headingCase)),
      `|${" --- |".repeat(headings.length)}`,
      ...rows.flatMap(({ title, cells }) => [...(title === null ? [] : [`| **${escaped(title)}** |`]), line(cells)]),
    ],
    [escaped(`${asOf(list, timesAround(list.atMs, look.timeZone))}, by kubectl backoff.`)],
  ]);
}
