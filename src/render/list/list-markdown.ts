import type { BackoffList } from "../../explain/answer/backoff-list.ts";
import { asOf } from "../page/as-of.ts";
import { escapeInMarkdown as escaped, markdownRow, markdownTable } from "../page/markdown.ts";
import { pageText } from "../page/page.ts";
import { timesAround } from "../page/times.ts";
import { commonLines, totalsLine } from "./list-sentences.ts";
import { type ListLook, listCells } from "./list-table.ts";

export function renderListMarkdown(list: BackoffList, look: ListLook): string {
  const { headings, rows } = listCells(list, look);
  if (rows.length === 0) return "";
  return pageText([
    commonLines(list, look.timeZone).map(escaped),
    [escaped(totalsLine(list))],
    [
      ...markdownTable({ headings, rows: [] }),
      ...rows.flatMap(({ title, cells }) => [
        ...(title === null ? [] : [`| **${escaped(title)}** |`]),
        markdownRow(cells),
      ]),
    ],
    [escaped(`${asOf(list, timesAround(list.atMs, look.timeZone))}, by kubectl backoff.`)],
  ]);
}
