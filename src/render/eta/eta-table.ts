import type { Eta } from "../../explain/answer/eta.ts";
import { durationScale } from "../charts/scales.ts";
import { tableLines, tableWidth } from "../page/columns.ts";
import { pageColumns, type RenderOptions, textOf } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { type Times, timesAround } from "../page/times.ts";
import { wrap } from "../page/width.ts";
import { assumptionWords, fasterWords, formatPercent, headline, inWords, setApart } from "./eta-words.ts";

export function renderEtaTable(eta: Eta, options: RenderOptions): string {
  const columns = Math.min(pageColumns(options), MOST_COLUMNS);
  const times = timesAround(eta.atMs, options.timeZone);
  const isWaiting = eta.down.length > 0;
  const paragraphs = (texts: readonly string[]): string[] => texts.flatMap((text) => wrap(text, columns));
  const figures = figuresOf(eta, times);
  return textOf([
    wrap(headline(eta, times), columns),
    isWaiting && tableWidth(figures) <= columns ? tableLines(figures, options.color) : [],
    isWaiting && columns >= LEAST_CURVE ? curveLines(eta, columns, options) : [],
    paragraphs(setApart(eta, times)),
    paragraphs(fasterWords(eta, times)),
    isWaiting ? wrap(assumptionWords(eta), columns) : [],
  ]);
}

const MOST_COLUMNS = 120;
const LEAST_CURVE = 40;

/** Returns a table with a row for each share (e.g. 50%) of the containers that are down: when they are up again. */
export function figuresOf(eta: Eta, times: Times) {
  const different = eta.quantilesOfDown.filter(({ count }, index, all) => all[index + 1]?.count !== count);
  const rows = different.map((quantile) => [
    formatPercent(quantile.share),
    String(quantile.count),
    inWords(eta, quantile).replace("in ", ""),
    times.instant(quantile.atMs),
    `by ${times.instant(quantile.likelyByMs)}`,
  ]);
  return { headings: ["UP", "COUNT", "IN", "AT", "95% CONFIDENCE"], rows };
}

const HEIGHT = 6;
const LABELS = ["100%", "", "", "50%", "", ""];
const LABEL_WIDTH = 4;
const EIGHTHS = " ▁▂▃▄▅▆▇█";
const TICK_COLUMNS = 12;

function curveLines({ curve, atMs, down }: Eta, columns: number, { color, unicode = true }: RenderOptions): string[] {
  const width = columns - LABEL_WIDTH - 2;
  const endMs = curve.at(-1)?.atMs ?? atMs;
  const shareAt = (column: number): number => {
    const point = curve[Math.round(((column + 1) / width) * (curve.length - 1))];
    return (point?.up ?? 0) / down.length;
  };
  const rows = Array.from({ length: HEIGHT }, (_, row) => {
    const cells = Array.from({ length: width }, (__, column) => {
      const eighths = Math.round((shareAt(column) * HEIGHT - (HEIGHT - 1 - row)) * 8);
      const level = Math.min(8, Math.max(0, eighths));
      return unicode ? (EIGHTHS[level] ?? " ") : level >= 4 ? "#" : " ";
    });
    const label = (LABELS[row] ?? "").padStart(LABEL_WIDTH);
    return `${paint(`${label} |`, "quiet", color)}${paint(cells.join("").trimEnd(), "good", color)}`;
  });
  const scale = durationScale(endMs - atMs, [0, width - 1], Math.floor(width / TICK_COLUMNS));
  let axis = "";
  for (const { value, label } of scale.ticks) {
    const name = value === 0 ? "now" : label;
    const at = Math.round(scale.at(value));
    if (at + name.length <= width) axis = axis.padEnd(at) + name;
  }
  return [...rows, paint(`${" ".repeat(LABEL_WIDTH + 2)}${axis}`, "quiet", color)];
}
