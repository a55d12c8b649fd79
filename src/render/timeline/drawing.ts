import { formatElapsed } from "../page/durations.ts";
import { displayWidth } from "../page/width.ts";
import { element, type XmlElement } from "../page/xml.ts";
import { type Axis, axisOf } from "./axis.ts";
import { drawLane } from "./draw-lane.ts";
import { drawLegend } from "./draw-legend.ts";
import { extentOf } from "./extent.ts";
import { type Frame, shapeOf } from "./frame.ts";
import type { Lane, LaneRun, Timeline } from "./timeline.ts";

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

/** What is written above and below a lane's runs and waits, as far as there is room; the latest matters most. */
function drawLabels(lane: Lane, frame: Frame): XmlElement[] {
  const { left, right } = frame;
  const shape = shapeOf(lane);
  if (shape.labelsAt === null || shape.waitLabelsAt === null) {
    return placeLabels([label(lane.remark, left + 8, "start", "quiet")], shape.barBottom - 4, left, right);
  }
  return [
    ...placeLabels(labelsAbove(lane, frame), shape.labelsAt, left, right),
    ...placeLabels(labelsBelow(lane, frame), shape.waitLabelsAt, left, right),
  ];
}

function labelsAbove({ next, runs }: Lane, { axis }: Frame): Label[] {
  const detailed = runs.filter(({ endMs }) => endMs >= axis.extent.detailFromMs);
  const exits = detailed.map((run) =>
    label(run.label, axis.x(run.endMs), "middle", run.end === "failed" ? "bad" : "quiet"),
  );
  const unseen = detailed.filter(({ basis }) => basis === "inferred");
  return [
    ...(next === null ? [] : [label(next.label, axis.x(next.fromMs), "start", "strong uneasy")]),
    ...exits.reverse(),
    ...unseenLabel(unseen, axis.x),
  ];
}

function unseenLabel(runs: readonly LaneRun[], x: (atMs: number) => number): Label[] {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return [];
  const text = `${runs.length} ${runs.length === 1 ? "run" : "runs"} not seen`;
  return [label(text, (x(first.startMs) + x(last.endMs)) / 2, "middle", "quiet")];
}

function labelsBelow({ reset, waits, remark }: Lane, { axis, left }: Frame): Label[] {
  const lengths = waits
    .filter(({ startMs }) => startMs >= axis.extent.detailFromMs)
    .map(({ label: text, startMs, endMs, wouldEndMs }) => {
      const [from, to] = wouldEndMs === null ? [startMs, endMs] : [endMs, wouldEndMs];
      return label(text, (axis.x(from) + axis.x(to)) / 2, "middle", "quiet");
    });
  return [
    ...(reset === null ? [] : [label(reset.label, axis.x(reset.atMs), "middle", "good")]),
    ...lengths.reverse(),
    label(remark, left + 8, "start", "quiet"),
  ];
}

function label(text: string, x: number, anchor: Label["anchor"], look: string): Label {
  return { text, x, anchor, look };
}

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
