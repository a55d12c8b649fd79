import { line, symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTriangle } from "d3-shape";
import { element, type XmlElement } from "../page/xml.ts";
import { bottomAxis, type ChartScale, leftAxis, type PlotArea } from "./scales.ts";

export interface ChartSeries {
  readonly key: string;
  readonly name: string;
  readonly points: readonly ChartPoint[];
}

interface ChartPoint {
  readonly x: number;
  readonly y: number;
  readonly title?: string;
}

interface LineChart {
  readonly heading: string;
  readonly note: string;
  readonly below: string;
  readonly x: ChartScale;
  readonly y: ChartScale;
  readonly area: PlotArea;
  readonly series: readonly ChartSeries[];
  readonly hasEndLabels: boolean;
}

const LABEL_HEIGHT = 15;
const BASELINE = 4;
const MARK_AREA = 34;
/** The number of dash patterns. The first pattern, class dash-0, has no style: its lines are solid. */
const DASHES = 4;
const MARKS = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond];

export function drawLineChart(chart: LineChart): XmlElement[] {
  const { area, x, y, series } = chart;
  return [
    element("text", { class: "heading", x: 0, y: 14 }, [chart.heading]),
    element("text", { class: "note", x: 0, y: 31 }, [chart.note]),
    ...leftAxis(area, y),
    ...bottomAxis(area, x),
    element("text", { class: "tick", x: area.right, y: area.bottom + 33, "text-anchor": "end" }, [chart.below]),
    ...series.map((one, index) => drawSeries(one, index, chart)),
    ...(chart.hasEndLabels ? drawEndLabels(chart) : []),
  ];
}

function drawSeries({ key, points }: ChartSeries, index: number, chart: LineChart): XmlElement {
  const { x, y } = chart;
  const path = line<ChartPoint>(
    (point) => x.at(point.x),
    (point) => y.at(point.y),
  ).digits(1)(points);
  const mark = symbol(MARKS[index % MARKS.length], MARK_AREA)() ?? "";
  const marks = points.flatMap((point) => {
    if (point.title === undefined) return [];
    const transform = `translate(${x.at(point.x).toFixed(1)} ${y.at(point.y).toFixed(1)})`;
    return [element("path", { class: "mark", d: mark, transform }, [element("title", {}, [point.title])])];
  });
  const shift = shiftOf(index, chart);
  const moved = shift === 0 ? {} : { transform: `translate(0 ${shift})` };
  return element("g", { class: `series ${key}`, ...moved }, [
    element("path", { class: `curve dash-${index % DASHES}`, d: path ?? "" }),
    ...marks,
  ]);
}

/** In pixels, like {@link SHIFT}. */
const TOO_NEAR = 3;

const SHIFT = 1.5;

function shiftOf(index: number, { series, y }: LineChart): number {
  const own = series[index]?.points ?? [];
  return series.slice(0, index).reduce((shift, { points }) => {
    const distances = own.map((point, at) => y.at(point.y) - y.at(points[at]?.y ?? 0));
    if (distances.some((distance) => Math.abs(distance) > TOO_NEAR)) return shift;
    return shift + (distances.reduce((sum, distance) => sum + distance, 0) < 0 ? -SHIFT : SHIFT);
  }, 0);
}

function drawEndLabels({ series, x, y, area }: LineChart): XmlElement[] {
  const labels = series.flatMap(({ key, name, points }) => {
    const end = points.at(-1);
    return end === undefined ? [] : [{ key, text: name, end, y: y.at(end.y) + BASELINE }];
  });
  return spreadLabels(labels, LABEL_HEIGHT, area.bottom + BASELINE).flatMap(({ key, text, end, y: labelY }) => {
    const d = `M${(x.at(end.x) + 5).toFixed(1)} ${y.at(end.y).toFixed(1)}L${area.right + 16} ${(labelY - BASELINE).toFixed(1)}`;
    return [
      element("path", { class: `leader ${key}`, d }),
      element("text", { class: `end-label ${key}`, x: area.right + 19, y: labelY }, [text]),
    ];
  });
}

/** Returns the labels sorted by `y`, at least `lineHeight` apart and none below `bottom`. */
export function spreadLabels<L extends { readonly y: number }>(
  labels: readonly L[],
  lineHeight: number,
  bottom: number,
): L[] {
  const spread = labels.toSorted((one, other) => one.y - other.y);
  let floor = Number.NEGATIVE_INFINITY;
  const pushedDown = spread.map((label) => {
    const y = Math.max(label.y, floor);
    floor = y + lineHeight;
    return { ...label, y };
  });
  let ceiling = bottom;
  return pushedDown
    .reverse()
    .map((label) => {
      const y = Math.min(label.y, ceiling);
      ceiling = y - lineHeight;
      return { ...label, y };
    })
    .reverse();
}
