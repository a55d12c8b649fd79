import { element, type XmlElement } from "./xml.ts";

/** Part of a picture, in a coordinate system of its own. */
export interface Drawing {
  readonly parts: readonly XmlElement[];
  readonly height: number;
}

/** A kind of pictures, and what one of them says to those who cannot see it. */
interface Picture {
  /** The class that its styles are for. */
  readonly look: string;
  readonly styles: string;
  /** What a drawing in it can be as wide as, in CSS pixels at its natural size. */
  readonly width: number;
  /** The space around the drawings; without any, the picture stands on the paper of its page. */
  readonly margin: number;
  readonly title: string;
  readonly description: string;
}

/** Drawings below each other as one `<svg>`, readable on bright and on dark screens. */
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

interface TextLine {
  readonly text: string;
  readonly look: string;
  readonly height: number;
  /** From its baseline to its bottom. */
  readonly descent: number;
}

/** Lines of text below each other, with some space below them. */
export function textDrawing(lines: readonly TextLine[], space: number): Drawing {
  let y = 0;
  const parts = lines.map(({ text, look, height, descent }) => {
    y += height;
    return element("text", { class: look, x: 0, y: y - descent }, [text]);
  });
  return { parts, height: y + space };
}
