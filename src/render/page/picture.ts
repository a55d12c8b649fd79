import { wrap } from "./width.ts";
import { element, type XmlElement } from "./xml.ts";

/** Part of a picture, in its own coordinate system. */
export interface Drawing {
  readonly parts: readonly XmlElement[];
  readonly height: number;
}

interface Picture {
  /** The class that `styles` are for. */
  readonly look: string;
  readonly styles: string;
  /** Width of the drawings in CSS pixels. */
  readonly width: number;
  /** Space around the drawings, in pixels. 0 is for a picture in a page, which gets no background either. */
  readonly margin: number;
  /** A screen reader reads the title and the description. */
  readonly title: string;
  readonly description: string;
}

/** Drawings below each other as one `<svg>` element. */
export function svgOf(picture: Picture, drawings: readonly Drawing[]): XmlElement {
  const { look, styles, margin, title, description } = picture;
  let y = margin;
  const groups = drawings.flatMap(({ parts, height }) => {
    const top = Math.round(y);
    y += height;
    return parts.length === 0 ? [] : [element("g", { transform: `translate(${margin} ${top})` }, parts)];
  });
  const [width, height] = [picture.width + 2 * margin, Math.round(y) + margin];
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  return element("svg", { xmlns: "http://www.w3.org/2000/svg", class: look, role: "img", ...size }, [
    element("title", {}, [title]),
    element("desc", {}, [description]),
    element("style", {}, [styles]),
    ...(margin === 0 ? [] : [element("rect", { class: "paper", width: "100%", height: "100%" })]),
    ...groups,
  ]);
}

interface Paragraph {
  readonly text: string;
  readonly look: string;
  /** The most columns of text in a line. */
  readonly columns: number;
  /** The height of a line. */
  readonly height: number;
  /** The distance from the text's baseline down to the bottom of the line. */
  readonly descent: number;
}

/** Paragraphs below each other, and below them some space. */
export function textDrawing(paragraphs: readonly Paragraph[], space: number): Drawing {
  let y = 0;
  const parts = paragraphs.flatMap(({ text, look, columns, height, descent }) =>
    wrap(text, columns).map((line) => {
      y += height;
      return element("text", { class: look, x: 0, y: y - descent }, [line]);
    }),
  );
  return { parts, height: y + space };
}
