import { element, type XmlElement } from "../page/xml.ts";
import type { ChartScale } from "./scales.ts";

/** The rectangle that data are drawn in, in pixels. */
export interface PlotArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Lines across the area at every named value, with the names to the left, and one at its bottom. */
export function leftAxis({ left, right, bottom }: PlotArea, scale: ChartScale): XmlElement[] {
  const ground = element("line", { class: "axis", x1: left, y1: bottom + 0.5, x2: right, y2: bottom + 0.5 });
  const named = scale.ticks.flatMap(({ value, label }) => {
    const y = Math.round(scale.at(value)) + 0.5;
    return [
      ...(y < bottom ? [element("line", { class: "grid", x1: left, y1: y, x2: right, y2: y })] : []),
      element("text", { class: "tick", x: left - 8, y: y + 3.5, "text-anchor": "end" }, [label]),
    ];
  });
  return [...named, ground];
}

/** Names below the area at every named value; with `isRuled`, also lines down the area. */
export function bottomAxis({ top, bottom }: PlotArea, scale: ChartScale, isRuled: boolean): XmlElement[] {
  return scale.ticks.flatMap(({ value, label }) => {
    const x = Math.round(scale.at(value)) + 0.5;
    const y1 = isRuled ? top : bottom;
    return [
      element("line", { class: "grid", x1: x, y1, x2: x, y2: bottom + 4 }),
      element("text", { class: "tick", x, y: bottom + 17, "text-anchor": "middle" }, [label]),
    ];
  });
}
