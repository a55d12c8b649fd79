import { formatElapsed } from "../page/durations.ts";
import { element, type XmlElement } from "../page/xml.ts";
import { type Axis, axisOf } from "./axis.ts";
import { drawLane } from "./draw-lane.ts";
import { drawLegend } from "./draw-legend.ts";
import { extentOf } from "./extent.ts";
import { type Frame, shapeOf } from "./frame.ts";
import { placeLabels } from "./labels.ts";
import { drawLabels } from "./lane-labels.ts";
import type { Lane, Timeline } from "./timeline.ts";

/** Part of a picture, in a coordinate system of its own. */
export interface Drawing {
  readonly parts: readonly XmlElement[];
  readonly height: number;
}

/** Names stand left of this. */
const NAMES_WIDTH = 176;

/** The line above the lanes, where the moment now is named. */
const HEADER_HEIGHT = 18;

/** Below the lanes: the axis, and the legend under it. */
const FOOTER_HEIGHT = 54;

/** The lanes of a timeline below each other with their axis and legend, `width` wide. */
export function drawTimeline(timeline: Timeline, width: number): Drawing {
  const frame = frameOf(timeline, width);
  const tops = topsOf(timeline.lanes);
  const y = HEADER_HEIGHT + timeline.lanes.reduce((sum, lane) => sum + shapeOf(lane).height, 0);
  const each = (draw: (lane: Lane, frame: Frame) => XmlElement[]): XmlElement[] =>
    timeline.lanes.map((lane, index) =>
      element("g", { transform: `translate(0 ${tops[index] ?? 0})` }, draw(lane, frame)),
    );
  const parts = [
    ...drawCondensedPart(frame, y),
    ...drawAxis(frame.axis, y),
    ...each(drawLane),
    ...drawNow(frame, y),
    ...each(drawLabels),
    element("g", { transform: `translate(0 ${y + 40})` }, drawLegend(timeline)),
  ];
  return { parts, height: y + FOOTER_HEIGHT };
}

function topsOf(lanes: readonly Lane[]): number[] {
  return lanes.map((_, index) =>
    lanes.slice(0, index).reduce((sum, lane) => sum + shapeOf(lane).height, HEADER_HEIGHT),
  );
}

function frameOf(timeline: Timeline, width: number): Frame {
  const waits = timeline.lanes.flatMap((lane) => lane.waits);
  const lengths = waits.map(({ startMs, endMs, wouldEndMs }) => (wouldEndMs ?? endMs) - startMs);
  return {
    axis: axisOf(extentOf(timeline), timeline.clock, NAMES_WIDTH, width),
    left: NAMES_WIDTH,
    right: width,
    nowMs: timeline.nowMs,
    longestWaitMs: lengths.reduce((a, b) => Math.max(a, b), 0),
  };
}

function drawAxis(axis: Axis, y: number): XmlElement[] {
  return [
    element("text", { class: "label quiet", x: 0, y: y + 16 }, [axis.unit]),
    ...axis.ticks.flatMap(({ x, label }) => [
      element("line", { class: "rule", x1: x, y1: HEADER_HEIGHT, x2: x, y2: y + 4 }),
      element("text", { class: "label quiet", x, y: y + 16, "text-anchor": "middle" }, [label]),
    ]),
  ];
}

function drawCondensedPart({ axis, left }: Frame, y: number): XmlElement[] {
  const { startMs, detailFromMs } = axis.extent;
  if (detailFromMs <= startMs) return [];
  const right = axis.x(detailFromMs);
  const box = { x: left, y: HEADER_HEIGHT, width: right - left, height: y - HEADER_HEIGHT };
  const note = `${formatElapsed(detailFromMs - startMs)} before`;
  return [
    element("rect", { class: "panel", ...box }),
    element("line", { class: "rule dashed", x1: right, y1: HEADER_HEIGHT, x2: right, y2: y }),
    ...placeLabels([{ text: note, x: (left + right) / 2, anchor: "middle", look: "quiet" }], 12, left, right),
  ];
}

function drawNow({ axis, nowMs, left, right }: Frame, y: number): XmlElement[] {
  if (nowMs === null) return [];
  const x = axis.x(nowMs);
  return [
    element("line", { class: "now", x1: x, y1: HEADER_HEIGHT - 2, x2: x, y2: y }),
    ...placeLabels(
      [{ text: `now ${axis.clockTime(nowMs)}`, x, anchor: "middle", look: "strong accent" }],
      12,
      left,
      right,
    ),
  ];
}
