import { wrap } from "./width.ts";
import { element, type XmlElement } from "./xml.ts";

export interface Drawing {
  readonly parts: readonly XmlElement[];
  readonly height: number;
}

interface Picture {
  readonly look: string;
  readonly styles: string;
  readonly width: number;
  /** In pixels. With 0, the picture has no background. */
  readonly margin: number;
  readonly title: string;
  readonly description: string;
}

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

export function headingOf(title: string, lead: string): Drawing {
  let y = 0;
  const linesOf = (text: string, look: string, columns: number, height: number): XmlElement[] =>
    wrap(text, columns).map((line) => {
      y += height;
      return element("text", { class: look, x: 0, y: y - DESCENT }, [line]);
    });
  const parts = [...linesOf(title, "title", 88, 24), ...linesOf(lead, "lead", 124, 20)];
  return { parts, height: y + 16 };
}

/** In pixels from the baseline of a text down to the bottom of its line. */
const DESCENT = 6;
