import { displayWidth } from "../page/width.ts";
import { element, type XmlElement } from "../page/xml.ts";

/** A short text beside something in the picture. */
export interface Label {
  readonly text: string;
  readonly x: number;
  readonly anchor: "start" | "middle" | "end";
  /** Its classes besides "label". */
  readonly look: string;
}

/** One column of text at the size of a label; fonts differ, so this is generous. */
const COLUMN_WIDTH = 6.3;

const GAP = 6;

/** The labels of one line that have room between `left` and `right` without touching; the first ones come first. */
export function placeLabels(labels: readonly Label[], y: number, left: number, right: number): XmlElement[] {
  const taken: (readonly [number, number])[] = [];
  return labels.flatMap((label) => {
    const [from, to, anchor] = boxOf(label, left, right);
    if (label.text === "" || from < left || taken.some(([a, b]) => from < b + GAP && a < to + GAP)) return [];
    taken.push([from, to]);
    const x = anchor === "start" ? from : anchor === "end" ? to : (from + to) / 2;
    return [element("text", { class: `label ${label.look}`.trim(), x, y, "text-anchor": anchor }, [label.text])];
  });
}

/** A label's left and right, moved inside where it would stand over an edge. */
function boxOf({ text, x, anchor }: Label, left: number, right: number): readonly [number, number, Label["anchor"]] {
  const width = displayWidth(text) * COLUMN_WIDTH;
  const from = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  if (from + width > right) return [right - width, right, "end"];
  return from < left ? [left, left + width, "start"] : [from, from + width, anchor];
}
