import type { Contention } from "../../simulate/contention.ts";
import { type ChartWords, chartFigure, chartPicture } from "../charts/chart-picture.ts";
import { element, toXml } from "../page/xml.ts";
import { htmlPage, htmlTable } from "../pod/html-page.ts";
import { callRaster, figureCharts } from "./contention-charts.ts";
import { contentionFinding, contentionSetting, formatMean, formatSpan, plural, resultOf } from "./contention-words.ts";

/** The finding; a single strategy has none. */
function titleOf(contention: Contention): string {
  return contentionFinding(contention) || "What jitter does to clients that contend";
}

/** The experiment as one picture: calls and time against clients, and when the calls fall. */
export function renderContentionSvg(contention: Contention): string {
  return toXml(chartPicture(wordsOf(contention), [figureCharts(contention), callRaster(contention)]));
}

/** The experiment as a page: the same charts, and their figures as tables. */
export function renderContentionHtml(contention: Contention): string {
  const { settings } = contention;
  const words = wordsOf(contention);
  const headings = ["Strategy", ...settings.clients.map((count) => plural(count, "client"))];
  const rows = settings.strategies.map((strategy) => [
    strategy,
    ...settings.clients.map((count) => {
      const result = resultOf(contention, strategy, count);
      return result === undefined ? "–" : `${formatMean(result.calls)} calls, ${formatSpan(result.completionMs)}`;
    }),
  ]);
  return htmlPage({
    title: titleOf(contention),
    styles: PAGE_STYLES,
    body: [
      element("h1", {}, [titleOf(contention)]),
      element("p", {}, [contentionSetting(contention)]),
      chartFigure(words, figureCharts(contention)),
      chartFigure(words, callRaster(contention)),
      element("h2", {}, ["Calls and time until all are done"]),
      htmlTable(headings, rows),
    ],
  });
}

/** Pictures may be wider than a phone: they scroll rather than shrink until nothing can be read. */
export const PAGE_STYLES = `
figure { margin: 1.5rem 0 0.5rem; overflow-x: auto; }
figure svg { min-width: 45rem; width: 100%; }
`;

function wordsOf(contention: Contention): ChartWords {
  const { results, settings } = contention;
  const clients = Math.max(...settings.clients);
  const figures = results
    .filter((result) => result.clients === clients)
    .map(
      ({ strategy, calls, completionMs }) => `${strategy} ${formatMean(calls)} calls and ${formatSpan(completionMs)}`,
    );
  const lead = contentionSetting(contention);
  return {
    title: titleOf(contention),
    lead,
    description: `${lead} With ${plural(clients, "client")}: ${figures.join("; ")}.`,
  };
}
