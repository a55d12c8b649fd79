import { element } from "../page/xml.ts";
import type { ChartDrawing } from "./chart-picture.ts";
import { dashOf } from "./line-chart.ts";

const ENTRY_WIDTH = 190;
const SAMPLE_WIDTH = 28;
const HEIGHT = 34;

/** Which colour and dashes are whose, in one line. */
export function drawLegend(entries: readonly { readonly key: string; readonly name: string }[]): ChartDrawing {
  const parts = entries.map(({ key, name }, index) =>
    element("g", { class: `series ${key}`, transform: `translate(${index * ENTRY_WIDTH} 8)` }, [
      element("path", { class: `curve ${dashOf(index)}`, d: `M1 0h${SAMPLE_WIDTH}` }),
      element("text", { class: `name ${key}`, x: SAMPLE_WIDTH + 9, y: 4.5 }, [name]),
    ]),
  );
  return { parts, height: HEIGHT };
}
