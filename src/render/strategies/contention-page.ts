import type { Contention, ContentionResult } from "../../simulate/contention.ts";
import { CHART_WIDTH, type ChartWords, chartFigure, chartPicture } from "../charts/chart-picture.ts";
import { type ChartSeries, drawLineChart } from "../charts/line-chart.ts";
import { linearScale, logDurationScale, type PixelRange, valuesScale } from "../charts/scales.ts";
import { API_VERSION } from "../json/json-values.ts";
import { type Cell, type Table, tableLines, tableWidth } from "../page/columns.ts";
import { figurePage, htmlTable } from "../page/html-page.ts";
import { pageColumns, pageText, type RenderOptions } from "../page/page.ts";
import { counted } from "../page/paint.ts";
import type { Drawing } from "../page/picture.ts";
import { wrap } from "../page/width.ts";
import { element, toXml } from "../page/xml.ts";
import {
  contentionFinding,
  contentionSetting,
  type Figure,
  figuresInWords,
  formatFigure,
  roundTo,
} from "./contention-words.ts";

export function renderContentionCsv(contention: Contention): string {
  const { results } = contentionToJson(contention);
  const rows = [Object.keys(results[0] ?? {}), ...results.map(Object.values)];
  return rows.map((row) => `${row.join(",")}\n`).join("");
}

export function renderContentionSvg(contention: Contention): string {
  return toXml(chartPicture(wordsOf(contention), figureCharts(contention)));
}

export function renderContentionHtml(contention: Contention): string {
  const words = wordsOf(contention);
  const { headings, rows } = grid(contention, "Strategy", (result) => figuresInWords(result));
  return figurePage(words.title, [
    element("p", {}, [words.lead]),
    chartFigure(words, figureCharts(contention)),
    element("h2", {}, ["Calls and time until all are done"]),
    htmlTable(headings, rows),
  ]);
}

function wordsOf(contention: Contention): ChartWords {
  const { results, settings } = contention;
  const clients = Math.max(...settings.clients);
  const figures = results
    .filter((result) => result.clients === clients)
    .map((result) => `${result.strategy} ${figuresInWords(result, " and ")}`);
  const lead = contentionSetting(contention);
  return {
    title: contentionFinding(contention) || "What jitter does to clients that contend",
    lead,
    description: `${lead} With ${counted(clients, "client")}: ${figures.join("; ")}.`,
  };
}

const GAP = 36;
const HALF_WIDTH = (CHART_WIDTH - GAP) / 2;
const AREA = { left: 46, top: 50, right: HALF_WIDTH - 112, bottom: 300 };
const X_RANGE: PixelRange = [AREA.left, AREA.right];
const Y_RANGE: PixelRange = [AREA.bottom, AREA.top];
const LEAST_TICK_DISTANCE = 24;

function figureCharts({ settings, results }: Contention): Drawing {
  const most = (figure: Figure) => Math.max(...results.map((result) => result[figure]));
  const leastMs = Math.min(...results.map(({ completionMs }) => completionMs));
  const x = valuesScale(settings.clients, X_RANGE, LEAST_TICK_DISTANCE);
  const chart = { below: "clients", x, area: AREA, hasEndLabels: true };
  const calls = drawLineChart({
    ...chart,
    heading: "Calls until all are done",
    note: "Lower is less load.",
    y: linearScale(most("calls"), Y_RANGE, 5),
    series: seriesOf({ settings, results }, "calls"),
  });
  const time = drawLineChart({
    ...chart,
    heading: "Time until all are done",
    note: "Lower is faster (log scale).",
    y: logDurationScale(leastMs * 0.7, most("completionMs") * 1.2, Y_RANGE),
    series: seriesOf({ settings, results }, "completionMs"),
  });
  const second = element("g", { transform: `translate(${HALF_WIDTH + GAP} 0)` }, time);
  return { parts: [...calls, second], height: AREA.bottom + 58 };
}

function seriesOf({ settings, results }: Contention, figure: Figure): ChartSeries[] {
  return settings.strategies.map((strategy) => ({
    key: strategy,
    name: strategy,
    points: results
      .filter((result) => result.strategy === strategy)
      .toSorted((one, other) => one.clients - other.clients)
      .map((result) => ({
        x: result.clients,
        y: result[figure],
        title: `${strategy}, ${counted(result.clients, "client")}: ${figuresInWords(result)}`,
      })),
  }));
}

const HEADINGS: Readonly<Record<Figure, string>> = { calls: "CALLS", completionMs: "TIME" };
const FIGURES = ["calls", "completionMs"] as const;

export function renderContentionTable(contention: Contention, options: RenderOptions): string {
  const columns = pageColumns(options);
  return pageText([
    wrap(contentionSetting(contention), columns),
    ...figureBlocks(contention, columns, options.color),
    wrap(contentionFinding(contention), columns),
  ]);
}

function figureBlocks(contention: Contention, columns: number, color: boolean): string[][] {
  const wide = FIGURES.map((figure) =>
    grid(contention, HEADINGS[figure], (result) => cellOf(contention, figure, result)),
  );
  if (wide.every((table) => tableWidth(table) <= columns)) return wide.map((table) => tableLines(table, color));
  const long: Table = {
    headings: ["STRATEGY", "CLIENTS", "CALLS", "TIME"],
    rows: contention.results.map((result) => [
      ...[result.strategy, String(result.clients)],
      ...FIGURES.map((figure) => cellOf(contention, figure, result)),
    ]),
  };
  if (tableWidth(long) <= columns) return [tableLines(long, color)];
  const sentences = contention.results.map(
    (result) => `${result.strategy}, ${result.clients}: ${figuresInWords(result)}`,
  );
  return [sentences.flatMap((sentence) => wrap(sentence, columns))];
}

function grid<C>({ settings, results }: Contention, corner: string, cell: (result: ContentionResult) => C) {
  const byStrategy = Map.groupBy(results, ({ strategy }) => strategy);
  const rows = [...byStrategy].map(([strategy, itsResults]): (string | C)[] => [strategy, ...itsResults.map(cell)]);
  return { headings: [corner, ...settings.clients.map((count) => counted(count, "client"))], rows };
}

function cellOf({ results }: Contention, figure: Figure, result: ContentionResult): Cell {
  const text = formatFigure(result, figure);
  const rivals = results.filter(({ clients }) => clients === result.clients);
  const isLeast = rivals.length > 1 && rivals.every((rival) => rival[figure] >= result[figure]);
  return isLeast ? { text, tone: "good" } : text;
}

const THOUSANDTH = 0.001;

/** See docs/contention.schema.json. Durations are in ms in the results, in seconds in the settings. */
export function contentionToJson({ settings, results }: Contention) {
  const { runs, seed, initialMs, maxMs, network } = settings;
  return {
    apiVersion: API_VERSION,
    kind: "Contention",
    settings: {
      runs,
      seed,
      baseSeconds: initialMs / 1000,
      capSeconds: maxMs / 1000,
      network: { meanSeconds: network.meanMs / 1000, standardDeviationSeconds: network.sdMs / 1000 },
    },
    results: results.map(({ strategy, clients, completionMs, calls }) => ({
      strategy,
      clients,
      completionMs: roundTo(completionMs, THOUSANDTH),
      calls: roundTo(calls, THOUSANDTH),
    })),
  };
}
