import type { Contention, ContentionTrace } from "../../simulate/contention.ts";
import { CHART_WIDTH } from "../charts/chart-picture.ts";
import { type ChartSeries, drawLineChart } from "../charts/line-chart.ts";
import { drawRaster, RASTER_RANGE, type RasterStrip } from "../charts/raster.ts";
import { linearScale, logDurationScale, type PixelRange, valuesScale } from "../charts/scales.ts";
import { counted } from "../page/paint.ts";
import type { Drawing } from "../page/picture.ts";
import { element } from "../page/xml.ts";
import { type Figure, figuresInWords, formatSpan } from "./contention-words.ts";

const GAP = 36;
const HALF_WIDTH = (CHART_WIDTH - GAP) / 2;
const AREA = { left: 46, top: 50, right: HALF_WIDTH - 112, bottom: 300 };
const X_RANGE: PixelRange = [AREA.left, AREA.right];
const Y_RANGE: PixelRange = [AREA.bottom, AREA.top];
const LEAST_TICK_DISTANCE = 24;

export function figureCharts({ settings, results }: Contention): Drawing {
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

function seriesOf({ settings, results }: Pick<Contention, "settings" | "results">, figure: Figure): ChartSeries[] {
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

/** Draws the calls of one run as dots over a logarithmic axis of time, with one panel for each strategy. */
export function callRaster({ traces }: Contention): Drawing {
  const instants = traces.flatMap(({ calls }) => calls.map(({ atMs }) => atMs));
  const firstMs = instants.reduce((a, b) => Math.min(a, b), 1e9);
  const lastMs = instants.reduce((a, b) => Math.max(a, b), 1);
  return drawRaster({
    heading: `Every call of ${counted(traces[0]?.clients ?? 0, "client")} (one run)`,
    note: "Each dot is a call (pale: failed, solid: succeeded). Each row is a client, the first to succeed at the bottom. Log scale.",
    x: logDurationScale(firstMs * 0.9, lastMs * 1.05, RASTER_RANGE),
    top: 48,
    stripHeight: 62,
    space: 44,
    strips: traces.map(stripOf),
  });
}

function stripOf({ strategy, clients, calls }: ContentionTrace): RasterStrip {
  const rows = Array.from({ length: clients }, () => ({ failedAtMs: [] as number[], succeededAtMs: 0 }));
  for (const { client, atMs, succeeded } of calls) {
    const row = rows[client];
    if (succeeded && row !== undefined) row.succeededAtMs = atMs;
    else row?.failedAtMs.push(atMs);
  }
  const notes = [counted(calls.length, "call"), formatSpan(calls.at(-1)?.atMs ?? 0)];
  return { key: strategy, name: strategy, notes, rows };
}
