import { element, type XmlElement } from "../page/xml.ts";
import type { Drawing } from "./drawing.ts";
import { PICTURE_STYLES } from "./picture-styles.ts";

/** The width of every picture, in CSS pixels at its natural size. */
const PICTURE_WIDTH = 960;

/** The space around it. */
const MARGIN = 24;

/** What a drawing in a picture can be as wide as. */
export const DRAWING_WIDTH = PICTURE_WIDTH - 2 * MARGIN;

/** What a picture says to those who cannot see it. */
export interface PictureWords {
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
