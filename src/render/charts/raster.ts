import type { Drawing } from "../page/picture.ts";
import { element, type XmlElement } from "../page/xml.ts";
import { CHART_WIDTH } from "./chart-picture.ts";
import { bottomAxis, type ChartScale, type PixelRange, type PlotArea } from "./scales.ts";

/** A panel with one row of dots for each client or replica. */
export interface RasterStrip {
  readonly key: string;
  readonly name: string;
  readonly notes: readonly string[];
  readonly rows: readonly { readonly failedAtMs: readonly number[]; readonly succeededAtMs: number }[];
}

interface Raster {
  readonly heading: string;
  readonly note: string;
  readonly x: ChartScale;
  readonly top: number;
  readonly stripHeight: number;
  /** The height in pixels below the panels, for the labels of the axis and a margin. */
  readonly space: number;
  readonly strips: readonly RasterStrip[];
  readonly behind?: (area: PlotArea) => readonly XmlElement[];
}

const LEFT = 130;

export const RASTER_RANGE: PixelRange = [LEFT, CHART_WIDTH - 14];

/** The coordinates of dots are multiples of this many pixels. Dots at nearly the same place are drawn only once. */
const GRAIN = 0.5;
const NOTE_HEIGHT = 15;
const PADDING = 4;

export function drawRaster({ heading, note, x, top, stripHeight, space, strips, behind }: Raster): Drawing {
  const area = { left: LEFT, top, right: CHART_WIDTH, bottom: top + strips.length * stripHeight };
  const panels = strips.map((strip, index) => {
    const stripTop = top + index * stripHeight;
    return drawStrip(strip, x, { ...area, top: stripTop, bottom: stripTop + stripHeight });
  });
  const parts = [
    element("text", { class: "heading", x: 0, y: 14 }, [heading]),
    element("text", { class: "note", x: 0, y: 31 }, [note]),
    ...(behind?.(area) ?? []),
    ...bottomAxis(area, x, true),
    ...panels,
  ];
  return { parts, height: area.bottom + space };
}

/** Draws a panel. The first client or replica to succeed is at the bottom, so that successes make a rising curve. */
function drawStrip(strip: RasterStrip, x: ChartScale, area: PlotArea): XmlElement {
  const rows = strip.rows.toSorted((one, other) => one.succeededAtMs - other.succeededAtMs);
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

/** Returns the path of a line without length. Round line caps make a dot of it. */
function dot(x: number, y: number): string {
  return `M${toGrain(x)} ${toGrain(y)}h0`;
}

function toGrain(pixels: number): number {
  return Math.round(pixels / GRAIN) * GRAIN;
}
