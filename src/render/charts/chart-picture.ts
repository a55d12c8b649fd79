import { wrap } from "../page/width.ts";
import { element, type XmlElement } from "../page/xml.ts";
import { CHART_STYLES } from "./chart-styles.ts";

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
  const lines = wrap(lead, LEAD_COLUMNS);
  const parts = [
    element("text", { class: "title", x: 0, y: 18 }, [title]),
    ...lines.map((text, index) => element("text", { class: "lead", x: 0, y: 44 + index * LEAD_HEIGHT }, [text])),
  ];
  return { parts, height: 60 + lines.length * LEAD_HEIGHT };
}
