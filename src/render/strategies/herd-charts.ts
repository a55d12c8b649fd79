import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Herd, HerdResult } from "../../simulate/herd.ts";
import { CHART_WIDTH } from "../charts/chart-picture.ts";
import { type ChartPoint, drawLegend, drawLineChart } from "../charts/line-chart.ts";
import { drawRaster, RASTER_RANGE, type RasterStrip } from "../charts/raster.ts";
import {
  type ChartScale,
  durationScale,
  linearScale,
  type PixelRange,
  type PlotArea,
  shareScale,
} from "../charts/scales.ts";
import { counted } from "../page/paint.ts";
import type { Drawing } from "../page/picture.ts";
import { element, type XmlElement } from "../page/xml.ts";
import { formatMean, formatSpan } from "./contention-words.ts";

const GAP = 48;
const HALF_WIDTH = (CHART_WIDTH - GAP) / 2;
const AREA = { left: 46, top: 50, right: HALF_WIDTH, bottom: 270 };
const X_RANGE: PixelRange = [AREA.left, AREA.right];
const Y_RANGE: PixelRange = [AREA.bottom, AREA.top];
const POINTS = 200;
const BINS = 60;

export function herdCharts({ settings, results }: Herd): Drawing {
  const longestMs = Math.max(...results.map(({ upAtMs }) => upAtMs.at(-1) ?? 0), 1);
  const x = durationScale(longestMs, X_RANGE, 7);
  const rates = results.map((result) => rateOf(result, longestMs, settings.runs));
  const most = Math.max(...rates.flatMap((points) => points.map(({ y }) => y)));
  const chart = { below: "after the dependency is back", x, area: AREA, hasEndLabels: false };
  const lines = (points: (index: number, result: HerdResult) => readonly ChartPoint[]) =>
    results.map((result, index) => ({ key: keyOf(result), name: result.rule.name, points: points(index, result) }));
  const up = drawLineChart({
    ...chart,
    heading: "Replicas that are up again",
    note: "Share of all replicas, over all runs.",
    y: shareScale(Y_RANGE),
    series: lines((_, result) => shareOf(result, longestMs)),
  });
  const starts = drawLineChart({
    ...chart,
    heading: "Starts per second",
    note: `The mean of every ${formatBriefDuration(roundedBinMs(longestMs))}: what the dependency has to serve.`,
    y: perSecond(linearScale(most, Y_RANGE, 5)),
    series: lines((index) => rates[index] ?? []),
  });
  const legend = drawLegend(
    results.map((result) => ({
      key: keyOf(result),
      name: result.rule.name.startsWith("v") ? result.rule.name : `v1.35+, ${result.rule.name}`,
    })),
  );
  return {
    parts: [
      ...legend.parts,
      element("g", { transform: `translate(0 ${legend.height})` }, up),
      element("g", { transform: `translate(${HALF_WIDTH + GAP} ${legend.height})` }, starts),
    ],
    height: legend.height + AREA.bottom + 58,
  };
}

function perSecond({ at, ticks }: ChartScale): ChartScale {
  return { at, ticks: ticks.map(({ value, label }) => ({ value, label: `${label}/s` })) };
}

function shareOf({ upAtMs }: HerdResult, longestMs: number): ChartPoint[] {
  let up = 0;
  return Array.from({ length: POINTS + 1 }, (_, index) => {
    const x = (index / POINTS) * longestMs;
    while (up < upAtMs.length && (upAtMs[up] ?? 0) <= x) up++;
    return { x, y: up / upAtMs.length };
  });
}

function roundedBinMs(longestMs: number): number {
  return Math.max(1, Math.ceil(longestMs / BINS / 1_000)) * 1_000;
}

function rateOf({ upAtMs }: HerdResult, longestMs: number, runs: number): ChartPoint[] {
  const binMs = roundedBinMs(longestMs);
  const counts = new Array<number>(Math.floor(longestMs / binMs) + 1).fill(0);
  for (const atMs of upAtMs) {
    const bin = Math.floor(atMs / binMs);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts.map((count, bin) => ({ x: (bin + 0.5) * binMs, y: (count / runs / binMs) * 1_000 }));
}

/** The most rows of a panel. More rows would make a larger file, but no finer picture. */
const MOST_ROWS = 300;

/** Draws the starts of the first run as dots from the beginning of the outage on, with one panel for each kubelet. */
export function herdRaster({ settings: { replicas, outageMs }, results }: Herd): Drawing {
  const longestMs = Math.max(...results.flatMap(({ startsAtMs }) => startsAtMs.map((starts) => starts.at(-1) ?? 0)));
  const x = durationScale(longestMs, RASTER_RANGE, 12);
  const shown = replicas > MOST_ROWS ? `${MOST_ROWS} of ${replicas} replicas` : counted(replicas, "replica");
  return drawRaster({
    heading: `Every start of ${shown} (one run)`,
    note: "Each dot is a start (pale: crashed, solid: stayed up). Each row is a replica, the first one up at the bottom.",
    x,
    top: 62,
    stripHeight: 84,
    space: 36,
    strips: results.map(stripOf),
    behind: (area) => outageBox(outageMs, x, area),
  });
}

const GONE_WIDTH = 170;

function outageBox(outageMs: number, x: ChartScale, { top, bottom }: PlotArea): XmlElement[] {
  const [from, to] = [x.at(0), x.at(outageMs)];
  return [
    element("rect", { class: "outage", x: from, y: top, width: to - from, height: bottom - top }),
    ...(to - from < GONE_WIDTH
      ? []
      : [element("text", { class: "tick", x: from, y: top - 6 }, ["the dependency is gone"])]),
    element("text", { class: "tick", x: to, y: top - 6, "text-anchor": "middle" }, ["it is back"]),
  ];
}

function stripOf(result: HerdResult): RasterStrip {
  const step = Math.max(1, Math.ceil(result.startsAtMs.length / MOST_ROWS));
  const rows = result.startsAtMs
    .filter((_, replica) => replica % step === 0)
    .map((starts) => ({ failedAtMs: starts.slice(0, -1), succeededAtMs: starts.at(-1) ?? 0 }));
  const notes = [
    `half up in ${formatSpan(result.medianMs)}`,
    `all up in ${formatSpan(result.lastMs)}`,
    `peak ${formatMean(result.peakStartsPerSecond)}/s`,
  ];
  return { key: keyOf(result), name: result.rule.name, notes, rows };
}

function keyOf({ rule }: HerdResult): string {
  return `rule-${rule.name.replaceAll(/[^a-z0-9]+/g, "-").replace(/-$/, "")}`;
}
