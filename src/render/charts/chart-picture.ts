import { DARK_SCREEN, PALETTES, type Palette } from "../page/palette.ts";
import { wrap } from "../page/width.ts";
import { element, type XmlElement } from "../page/xml.ts";

/** Part of a picture, in a coordinate system of its own. */
export interface ChartDrawing {
  readonly parts: readonly XmlElement[];
  readonly height: number;
}

/** What a picture is called, says first, and says to those who cannot see it. */
export interface ChartWords {
  readonly title: string;
  readonly lead: string;
  readonly description: string;
}

/** The width of every picture of charts, in CSS pixels at its natural size. */
export const CHART_WIDTH = 1000;
const MARGIN = 28;
/** What a drawing can be as wide as. */
export const CHART_INNER_WIDTH = CHART_WIDTH - 2 * MARGIN;

const TITLE_COLUMNS = 84;
const TITLE_HEIGHT = 26;
const LEAD_COLUMNS = 132;
const LEAD_HEIGHT = 20;

/** A picture of its own: title and lead, then drawings below each other, on paper. */
export function chartPicture(words: ChartWords, drawings: readonly ChartDrawing[]): XmlElement {
  return svgOf(words, [heading(words), ...drawings], MARGIN, [
    element("rect", { class: "paper", width: "100%", height: "100%" }),
  ]);
}

/** A picture within a page that says the title and the lead itself. */
export function chartFigure(words: ChartWords, drawing: ChartDrawing): XmlElement {
  return element("figure", {}, [svgOf(words, [drawing], 0, [])]);
}

function svgOf(
  { title, description }: ChartWords,
  drawings: readonly ChartDrawing[],
  margin: number,
  background: readonly XmlElement[],
): XmlElement {
  let y = margin;
  const groups = drawings.map(({ parts, height }) => {
    const group = element("g", { transform: `translate(${margin} ${y})` }, parts);
    y += height;
    return group;
  });
  const width = CHART_INNER_WIDTH + 2 * margin;
  const height = y + margin;
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  return element("svg", { xmlns: "http://www.w3.org/2000/svg", class: "chart", role: "img", ...size }, [
    element("title", {}, [title]),
    element("desc", {}, [description]),
    element("style", {}, [CHART_STYLES]),
    ...background,
    ...groups,
  ]);
}

function heading({ title, lead }: ChartWords): ChartDrawing {
  const titles = wrap(title, TITLE_COLUMNS);
  const lines = wrap(lead, LEAD_COLUMNS);
  const top = titles.length * TITLE_HEIGHT;
  const parts = [
    ...titles.map((text, index) => element("text", { class: "title", x: 0, y: 18 + index * TITLE_HEIGHT }, [text])),
    ...lines.map((text, index) => element("text", { class: "lead", x: 0, y: top + 18 + index * LEAD_HEIGHT }, [text])),
  ];
  return { parts, height: top + 34 + lines.length * LEAD_HEIGHT };
}

/** Colours of the series, on bright paper and on dark screens: warm without jitter, cold with it; all with a contrast of at least 4.5 to 1 for text. */
const SERIES: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  none: ["#cf222e", "#ff7b72"],
  fixed: ["#bc4c00", "#f0883e"],
  linear: ["#9a6700", "#d29922"],
  exponential: ["#bf3989", "#f778ba"],
  full: ["#0969da", "#58a6ff"],
  equal: ["#1b7c83", "#39c5cf"],
  decorrelated: ["#8250df", "#bc8cff"],
  kubelet: ["#1f2328", "#e6edf3"],
  "rule-v1-34": ["#bc4c00", "#f0883e"],
  "rule-v1-35": ["#0969da", "#58a6ff"],
  "rule-max-60s": ["#1a7f37", "#3fb950"],
  "rule-reduced": ["#8250df", "#bc8cff"],
};

/** Literal colours, for programs other than browsers draw pictures, too; all below `.chart`, so that they can stand in a page. */
const CHART_STYLES = `
.chart { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-size: 12px; }
.chart .title { font-size: 20px; font-weight: 600; }
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
.chart .failed, .chart .succeeded { fill: none; stroke-linecap: round; }
.chart .failed { stroke-width: 1.5; stroke-opacity: 0.4; }
.chart .succeeded { stroke-width: 2.5; }
.chart .outage { fill-opacity: 0.15; }
.chart .leader { fill: none; stroke-width: 1; stroke-opacity: 0.5; }
${colors(PALETTES.light, 0, "")}
${DARK_SCREEN} {
${colors(PALETTES.dark, 1, "  ")}
}
`;

function colors({ paper, panel, ink, quiet, line }: Palette, which: 0 | 1, indent: string): string {
  const series = Object.entries(SERIES).flatMap(([key, shades]) => [
    `.chart text.${key} { fill: ${shades[which]}; }`,
    `.chart .series.${key} .curve, .chart .leader.${key}, .chart .raster.${key} .succeeded { stroke: ${shades[which]}; }`,
    `.chart .raster.${key} .failed { stroke: ${shades[which]}; }`,
    `.chart .series.${key} .mark { fill: ${shades[which]}; stroke: ${paper}; }`,
  ]);
  return [
    `.chart .paper { fill: ${paper}; }`,
    `.chart .panel { fill: ${panel}; }`,
    `.chart text { fill: ${ink}; }`,
    `.chart text.note, .chart text.tick, .chart text.quiet { fill: ${quiet}; }`,
    `.chart .axis { stroke: ${quiet}; }`,
    `.chart .grid { stroke: ${line}; }`,
    `.chart .outage { fill: ${quiet}; }`,
    ...series,
  ]
    .map((rule) => indent + rule)
    .join("\n");
}
