import { inBothPalettes } from "../page/palette.ts";
import { type Drawing, svgOf } from "../page/picture.ts";
import { displayWidth } from "../page/width.ts";
import type { XmlElement } from "../page/xml.ts";

export const DRAWING_WIDTH = 912;
export const NAMES_WIDTH = 176;

const MARGIN = 24;

/** In pixels. Generous, because fonts differ in width. */
const LABEL_COLUMN_WIDTH = 6.3;

export function labelWidth(text: string): number {
  return displayWidth(text) * LABEL_COLUMN_WIDTH;
}

export function pictureOf(
  { title, description }: Record<"title" | "description", string>,
  drawings: readonly Drawing[],
): XmlElement {
  const style = { look: "timeline", styles: PICTURE_STYLES, width: DRAWING_WIDTH, margin: MARGIN };
  return svgOf({ ...style, title, description }, drawings);
}

/** Each selector begins with `.timeline`, because the styles of an inline SVG apply to the whole HTML page. */
const PICTURE_STYLES = `
.timeline { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-size: 12px; }
.timeline .title { font-size: 17px; font-weight: 600; }
.timeline .lead { font-size: 14px; }
.timeline .name { font-size: 14px; font-weight: 600; }
.timeline .label { font-size: 11px; paint-order: stroke; stroke-width: 3px; stroke-linejoin: round; }
.timeline .strong { font-weight: 600; }
.timeline .dashed { stroke-dasharray: 3 3; }
.timeline .unseen { stroke-dasharray: 2 2; }
.timeline .now { stroke-width: 1.5; }
.timeline .wait { stroke-width: 1.25; stroke-linejoin: round; }
.timeline .end { stroke-width: 2; }
.timeline .wait, .timeline .unseen { pointer-events: all; }
.timeline .label, .timeline .now { pointer-events: none; }
${inBothPalettes(({ paper, panel, ink, quiet, line, good, uneasy, bad, accent }) => [
  `.timeline .paper { fill: ${paper}; }`,
  `.timeline .panel { fill: ${panel}; }`,
  `.timeline text { fill: ${ink}; }`,
  `.timeline .label { stroke: ${paper}; }`,
  `.timeline .label.inside { stroke: ${panel}; }`,
  `.timeline text.quiet { fill: ${quiet}; }`,
  `.timeline text.good { fill: ${good}; }`,
  `.timeline text.uneasy { fill: ${uneasy}; }`,
  `.timeline text.bad { fill: ${bad}; }`,
  `.timeline text.accent { fill: ${accent}; }`,
  `.timeline .rule { stroke: ${line}; }`,
  `.timeline .run { fill: ${good}; }`,
  `.timeline .run.succeeded { fill: ${quiet}; }`,
  `.timeline .run.unseen { fill: none; stroke: ${quiet}; }`,
  `.timeline .hatch { stroke: ${quiet}; opacity: 0.55; }`,
  `.timeline .end { stroke: ${bad}; }`,
  `.timeline .spent { fill: ${bad}; fill-opacity: 0.2; }`,
  `.timeline .ahead { fill: ${bad}; fill-opacity: 0.08; }`,
  `.timeline .wait { fill: none; stroke: ${bad}; }`,
  `.timeline .wait.unseen { stroke: ${quiet}; }`,
  `.timeline .wait.cut { opacity: 0.6; }`,
  `.timeline .log-line { stroke: ${accent}; }`,
  `.timeline .word { fill: ${bad}; }`,
  `.timeline .next { fill: ${uneasy}; fill-opacity: 0.35; stroke: ${uneasy}; }`,
  `.timeline .reset { stroke: ${good}; }`,
  `.timeline .now { stroke: ${accent}; }`,
])}
`;
