import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Herd, HerdResult } from "../../simulate/herd.ts";
import { type Cell, columnLines, widthOf } from "../page/columns.ts";
import { pageColumns, type RenderOptions } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { wrap } from "../page/width.ts";
import { formatMean, formatShare, formatSpan } from "./contention-words.ts";
import { herdFinding, herdSetting, policyWords } from "./herd-words.ts";

/** The form for people: what was simulated, how the herd came back under each rule, and what the rules are. */
export function renderHerdTable(herd: Herd, options: RenderOptions): string {
  const columns = pageColumns(options);
  const grid = columnLines(headings(herd), herd.results.map(row), options.color);
  const blocks = [
    wrap(herdSetting(herd), columns),
    widthOf(grid) <= columns ? grid : list(herd, columns, options.color),
    wrap(FIGURES, columns),
    herd.results.flatMap(({ rule }) => wrap(`${rule.name}: ${policyWords(rule.policy)}`, columns)),
    wrap(herdFinding(herd), columns),
  ];
  return blocks.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

/** What the figures are that do not say it themselves. */
export const FIGURES =
  "PEAK/S: the most starts within one second since the dependency is back. IN VAIN: starts of a replica while it was gone.";

/** The names of the figures, as the table and the page show them. */
export function headings({ results }: Herd): string[] {
  const marks = results[0]?.upShares.map(({ afterMs }) => `UP ${formatBriefDuration(afterMs)}`) ?? [];
  return ["KUBELET", ...marks, "MEDIAN", "LAST", "PEAK/S", "IN VAIN"];
}

/** One rule's figures, in the order of the headings. */
export function row(result: HerdResult): Cell[] {
  return [
    { text: result.rule.name },
    ...result.upShares.map(({ share }) => ({ text: formatShare(share) })),
    { text: formatSpan(result.medianMs) },
    { text: formatSpan(result.lastMs) },
    { text: formatMean(result.peakStartsPerSecond) },
    { text: formatMean(result.startsInVain) },
  ];
}

/** A page too narrow for the table gets one figure per line. */
function list(herd: Herd, columns: number, color: boolean): string[] {
  const names = headings(herd).slice(1);
  return herd.results.flatMap((result) => {
    const [name, ...figures] = row(result);
    const lines = figures.flatMap(({ text }, index) => wrap(`${names[index] ?? ""}: ${text}`, columns - 2));
    return [paint(name?.text ?? "", "title", color), ...lines.map((line) => `  ${line}`)];
  });
}
