import { element, type XmlElement } from "../page/xml.ts";
import type { PlotArea } from "./axes.ts";
import type { ChartScale } from "./scales.ts";

/** A row of a raster: what one actor did, and when. */
export interface RasterRow {
  readonly failedAtMs: readonly number[];
  readonly succeededAtMs: number;
}

/** One panel of a raster: many actors over time. */
export interface RasterStrip {
  readonly key: string;
  readonly name: string;
  /** Lines of figures below the name. */
  readonly notes: readonly string[];
  readonly rows: readonly RasterRow[];
}

/** Dots closer together than this fall on each other. */
const GRAIN = 0.5;
const NOTE_HEIGHT = 15;
const PADDING = 4;

/** A panel: one row of dots per actor, the first to succeed at the bottom, so that successes make a rising curve. */
export function drawRasterStrip(strip: RasterStrip, x: ChartScale, area: PlotArea): XmlElement {
  const rows = [...strip.rows].sort((one, other) => one.succeededAtMs - other.succeededAtMs);
  const rowHeight = (area.bottom - area.top - 2 * PADDING) / rows.length;
  const yOf = (index: number) => area.bottom - PADDING - (index + 0.5) * rowHeight;
  const failed = rows.flatMap((row, index) => row.failedAtMs.map((atMs) => dot(x.at(atMs), yOf(index))));
  const succeeded = rows.map((row, index) => dot(x.at(row.succeededAtMs), yOf(index)));
  const top = area.top + 14;
  return element("g", { class: `raster ${strip.key}` }, [
    element("line", { class: "grid", x1: area.left, y1: area.bottom + 0.5, x2: area.right, y2: area.bottom + 0.5 }),
    element("text", { class: `name ${strip.key}`, x: 0, y: top }, [strip.name]),
    ...strip.notes.map((note, index) =>
      element("text", { class: "note", x: 0, y: top + (index + 1) * NOTE_HEIGHT + 1 }, [note]),
    ),
    element("path", { class: "failed", d: [...new Set(failed)].join("") }),
    element("path", { class: "succeeded", d: [...new Set(succeeded)].join("") }),
  ]);
}

/** A line without length: with round caps, a dot. */
function dot(x: number, y: number): string {
  return `M${toGrain(x)} ${toGrain(y)}h0`;
}

function toGrain(pixels: number): number {
  return Math.round(pixels / GRAIN) * GRAIN;
}
