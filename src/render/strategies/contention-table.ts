import type { Contention, ContentionResult } from "../../simulate/contention.ts";
import { type Cell, columnLines, widthOf } from "../page/columns.ts";
import { pageColumns, type RenderOptions } from "../page/page.ts";
import { wrap } from "../page/width.ts";
import { contentionFinding, contentionSetting, formatMean, formatSpan, plural, resultOf } from "./contention-words.ts";

/** The two figures of the experiment. */
type Figure = "calls" | "completionMs";

const FIGURES: Readonly<Record<Figure, { readonly heading: string; readonly format: (value: number) => string }>> = {
  calls: { heading: "CALLS", format: formatMean },
  completionMs: { heading: "TIME", format: formatSpan },
};

/** The form for people: what was simulated, a table of calls, one of times, and what they come to. */
export function renderContentionTable(contention: Contention, options: RenderOptions): string {
  const columns = pageColumns(options);
  const finding = contentionFinding(contention);
  const blocks = [
    wrap(contentionSetting(contention), columns),
    ...figureBlocks(contention, columns, options.color),
    ...(finding === "" ? [] : [wrap(finding, columns)]),
  ];
  return blocks.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

/** Clients side by side; on a page too narrow for that below each other, and on a very narrow one in words. */
function figureBlocks(contention: Contention, columns: number, color: boolean): string[][] {
  const wide = [grid(contention, "calls", color), grid(contention, "completionMs", color)];
  if (wide.every((lines) => widthOf(lines) <= columns)) return wide;
  const long = list(contention, color);
  return [widthOf(long) <= columns ? long : inWords(contention.results, columns)];
}

function grid(contention: Contention, figure: Figure, color: boolean): string[] {
  const { strategies, clients } = contention.settings;
  const headings = [FIGURES[figure].heading, ...clients.map((count) => plural(count, "client"))];
  const rows = strategies.map((strategy) => [
    { text: strategy },
    ...clients.map((count) => cellOf(contention, figure, resultOf(contention, strategy, count))),
  ]);
  return columnLines(headings, rows, color);
}

function list(contention: Contention, color: boolean): string[] {
  const rows = contention.results.map((result) => [
    { text: result.strategy },
    { text: String(result.clients) },
    cellOf(contention, "calls", result),
    cellOf(contention, "completionMs", result),
  ]);
  return columnLines(["STRATEGY", "CLIENTS", "CALLS", "TIME"], rows, color);
}

function inWords(results: readonly ContentionResult[], columns: number): string[] {
  return results.flatMap(({ strategy, clients, calls, completionMs }) =>
    wrap(`${strategy}, ${clients}: ${formatMean(calls)} calls, ${formatSpan(completionMs)}`, columns),
  );
}

/** The least of its column is good. */
function cellOf(contention: Contention, figure: Figure, result: ContentionResult | undefined): Cell {
  if (result === undefined) return { text: "-" };
  const rivals = contention.results.filter(({ clients }) => clients === result.clients);
  const isLeast = rivals.length > 1 && rivals.every((rival) => rival[figure] >= result[figure]);
  return { text: FIGURES[figure].format(result[figure]), ...(isLeast && { tone: "good" }) };
}
