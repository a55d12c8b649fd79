import type { Contention } from "../../simulate/contention.ts";
import { CHART_WIDTH } from "../charts/chart-picture.ts";
import { type ChartSeries, drawLineChart } from "../charts/line-chart.ts";
import { linearScale, logDurationScale, type PixelRange, valuesScale } from "../charts/scales.ts";
import { counted } from "../page/paint.ts";
import type { Drawing } from "../page/picture.ts";
import { element } from "../page/xml.ts";
import { type Figure, figuresInWords } from "./contention-words.ts";

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
