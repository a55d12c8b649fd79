import { inBothPalettes } from "../page/palette.ts";
import { type Drawing, headingOf, svgOf } from "../page/picture.ts";
import { element, type XmlElement } from "../page/xml.ts";

export interface ChartWords {
  readonly title: string;
  readonly lead: string;
  readonly description: string;
}

export const CHART_WIDTH = 944;

const MARGIN = 28;

export function chartPicture(words: ChartWords, drawing: Drawing): XmlElement {
  return chartSvg(words, [headingOf(words.title, words.lead), drawing], MARGIN);
}

/** Leaves out the heading, because an HTML page has the title and the lead as text. */
export function chartFigure(words: ChartWords, drawing: Drawing): XmlElement {
  return element("figure", {}, [chartSvg(words, [drawing], 0)]);
}

function chartSvg(words: ChartWords, drawings: readonly Drawing[], margin: number): XmlElement {
  return svgOf({ ...words, look: "chart", styles: CHART_STYLES, width: CHART_WIDTH, margin }, drawings);
}

/** Each colour has a contrast of at least 4.5 to 1 on `paper`. */
const SERIES: Readonly<Record<string, { readonly light: string; readonly dark: string }>> = {
  none: { light: "#cf222e", dark: "#ff7b72" },
  fixed: { light: "#bc4c00", dark: "#f0883e" },
  linear: { light: "#9a6700", dark: "#d29922" },
  exponential: { light: "#bf3989", dark: "#f778ba" },
  full: { light: "#0969da", dark: "#58a6ff" },
  equal: { light: "#1b7c83", dark: "#39c5cf" },
  decorrelated: { light: "#8250df", dark: "#bc8cff" },
  kubelet: { light: "#1f2328", dark: "#e6edf3" },
};

/** Each selector begins with `.chart`, because the styles of an inline SVG apply to the whole HTML page. */
const CHART_STYLES = `
.chart { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-size: 12px; }
.chart .title { font-size: 17px; font-weight: 600; }
.chart .lead { font-size: 14px; }
.chart .heading { font-size: 15px; font-weight: 600; }
.chart .note { font-size: 12px; }
.chart .tick { font-size: 11px; font-variant-numeric: tabular-nums; }
.chart .name, .chart .end-label { font-size: 13px; font-weight: 600; }
.chart .axis, .chart .grid { stroke-width: 1; }
.chart .grid { stroke-dasharray: 2 3; }
.chart .curve { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.chart .dash-1 { stroke-dasharray: 7 4; }
.chart .dash-2 { stroke-dasharray: 2 4; }
.chart .dash-3 { stroke-dasharray: 10 4 2 4; }
.chart .mark { stroke-width: 1.5; }
.chart .leader { fill: none; stroke-width: 1; stroke-opacity: 0.5; }
${inBothPalettes(({ paper, panel, ink, quiet, line }, look) => [
  `.chart .paper { fill: ${paper}; }`,
  `.chart .panel { fill: ${panel}; }`,
  `.chart text { fill: ${ink}; }`,
  `.chart text.note, .chart text.tick, .chart text.quiet { fill: ${quiet}; }`,
  `.chart .axis { stroke: ${quiet}; }`,
  `.chart .grid { stroke: ${line}; }`,
  ...Object.entries(SERIES).flatMap(([key, { [look]: color }]) => [
    `.chart text.${key} { fill: ${color}; }`,
    `.chart .series.${key} .curve, .chart .leader.${key} { stroke: ${color}; }`,
    `.chart .series.${key} .mark { fill: ${color}; stroke: ${paper}; }`,
  ]),
])}
`;
