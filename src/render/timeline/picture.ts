import { DARK_SCREEN, PALETTES, type Palette } from "../page/palette.ts";
import { element, type XmlElement } from "../page/xml.ts";
import type { Drawing } from "./drawing.ts";

/** The width of every picture, in CSS pixels at its natural size. */
const PICTURE_WIDTH = 960;

/** The space around it. */
const MARGIN = 24;

/** What a drawing in a picture can be as wide as. */
export const DRAWING_WIDTH = PICTURE_WIDTH - 2 * MARGIN;

/** What a picture says to those who cannot see it. */
interface PictureWords {
  readonly title: string;
  readonly description: string;
}

/** Drawings below each other as one `<svg>`, on a paper of their own, readable on bright and on dark screens. */
export function pictureOf({ title, description }: PictureWords, drawings: readonly Drawing[]): XmlElement {
  let y = MARGIN;
  const groups = drawings.flatMap(({ parts, height }) => {
    const top = Math.round(y);
    y += height;
    return parts.length === 0 ? [] : [element("g", { transform: `translate(${MARGIN} ${top})` }, parts)];
  });
  const height = Math.round(y) + MARGIN;
  const size = { viewBox: `0 0 ${PICTURE_WIDTH} ${height}`, width: PICTURE_WIDTH, height };
  return element("svg", { xmlns: "http://www.w3.org/2000/svg", class: "timeline", role: "img", ...size }, [
    element("title", {}, [title]),
    element("desc", {}, [description]),
    element("style", {}, [PICTURE_STYLES]),
    element("rect", { class: "paper", width: "100%", height: "100%" }),
    ...groups,
  ]);
}

/**
 * The styles of a picture. Colours are literal, not variables: programs other than browsers draw pictures, too. Everything
 * is below `.timeline`, so that the same rules can stand in a page.
 */
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
${colors(PALETTES.light, "")}
${DARK_SCREEN} {
${colors(PALETTES.dark, "  ")}
}
`;

function colors({ paper, panel, ink, quiet, line, good, uneasy, bad, accent }: Palette, indent: string): string {
  return [
    `.timeline .paper { fill: ${paper}; }`,
    `.timeline .panel { fill: ${panel}; }`,
    `.timeline text { fill: ${ink}; }`,
    `.timeline .label { stroke: ${paper}; }`,
    `.timeline .label.inside { stroke: ${panel}; }`,
    `.timeline text.quiet, .timeline text.quiet-tone { fill: ${quiet}; }`,
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
    `.timeline .word { fill: ${bad}; }`,
    `.timeline .next { fill: ${uneasy}; fill-opacity: 0.35; stroke: ${uneasy}; }`,
    `.timeline .reset { stroke: ${good}; }`,
    `.timeline .now { stroke: ${accent}; }`,
  ]
    .map((rule) => indent + rule)
    .join("\n");
}
