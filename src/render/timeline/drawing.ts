import { greatestOf } from "../../explain/observed/max-min.ts";
import { formatElapsed } from "../page/durations.ts";
import { counted } from "../page/paint.ts";
import type { Drawing } from "../page/picture.ts";
import { element, type XmlElement } from "../page/xml.ts";
import { type Axis, axisOf, type DrawingFrame, shapeOf } from "./axis.ts";
import { drawLane } from "./draw-lane.ts";
import { drawLegend } from "./draw-legend.ts";
import { extentOf } from "./extent.ts";
import { DRAWING_WIDTH, labelWidth, NAMES_WIDTH } from "./picture.ts";
import type { Lane, LaneRun, Timeline } from "./timeline.ts";

const HEADER_HEIGHT = 18;

const DENSE_FROM = 6;

const AXIS_HEIGHT = 40;

export function drawTimeline(timeline: Timeline): Drawing {
  const frame = frameOf(timeline);
  const heights = timeline.lanes.map((lane) => shapeOf(lane, frame).height);
  const bottomOf = (above: readonly number[]) => above.reduce((sum, height) => sum + height, HEADER_HEIGHT);
  const y = bottomOf(heights);
  const each = (draw: (lane: Lane, frame: DrawingFrame) => XmlElement[]): XmlElement[] =>
    timeline.lanes.map((lane, index) =>
      element("g", { transform: `translate(0 ${bottomOf(heights.slice(0, index))})` }, draw(lane, frame)),
    );
  const legend = drawLegend(timeline);
  const parts = [
    ...drawCondensedPart(frame, y),
    ...drawAxis(frame.axis, y),
    ...each(drawLane),
    ...drawNow(frame, y),
    ...drawHeader(frame),
    ...each(drawLabels),
    element("g", { transform: `translate(0 ${y + AXIS_HEIGHT})` }, legend.parts),
  ];
  return { parts, height: y + AXIS_HEIGHT + legend.height };
}

function frameOf(timeline: Timeline): DrawingFrame {
  const waits = timeline.lanes.flatMap((lane) => lane.waits);
  const lengths = waits.map(({ startMs, endMs, wouldEndMs }) => (wouldEndMs ?? endMs) - startMs);
  return {
    axis: axisOf(extentOf(timeline), timeline.clock, NAMES_WIDTH, DRAWING_WIDTH),
    nowMs: timeline.nowMs,
    longestWaitMs: greatestOf(lengths, 0),
    isDense: timeline.lanes.length >= DENSE_FROM,
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

function drawCondensedPart({ axis }: DrawingFrame, y: number): XmlElement[] {
  const { startMs, detailFromMs } = axis.extent;
  if (detailFromMs <= startMs) return [];
  const right = axis.x(detailFromMs);
  const box = { x: NAMES_WIDTH, y: HEADER_HEIGHT, width: right - NAMES_WIDTH, height: y - HEADER_HEIGHT };
  return [
    element("rect", { class: "panel", ...box }),
    element("line", { class: "rule dashed", x1: right, y1: HEADER_HEIGHT, x2: right, y2: y }),
  ];
}

function drawNow({ axis, nowMs }: DrawingFrame, y: number): XmlElement[] {
  if (nowMs === null) return [];
  const x = axis.x(nowMs);
  return [element("line", { class: "now", x1: x, y1: HEADER_HEIGHT - 2, x2: x, y2: y })];
}

function drawHeader({ axis, nowMs, isDense }: DrawingFrame): XmlElement[] {
  const { startMs, detailFromMs } = axis.extent;
  const before = `${formatElapsed(detailFromMs - startMs)} before`;
  const labels = [
    ...(nowMs === null ? [] : [label(`now ${axis.clockTime(nowMs)}`, axis.x(nowMs), "middle", "strong accent")]),
    ...(detailFromMs > startMs ? [label(before, (NAMES_WIDTH + axis.x(detailFromMs)) / 2, "middle", "quiet")] : []),
    ...(isDense ? axis.ticks.map(({ x, label: text }) => label(text, x, "middle", "quiet")) : []),
  ];
  return placeLabels(labels, 12, NAMES_WIDTH, DRAWING_WIDTH);
}

function drawLabels(lane: Lane, frame: DrawingFrame): XmlElement[] {
  const { axis, nowMs } = frame;
  const nowLine: Taken[] = nowMs === null ? [] : [[axis.x(nowMs) - NOW_GAP, axis.x(nowMs) + NOW_GAP]];
  const shape = shapeOf(lane, frame);
  if (shape.labelsAboveY === null || shape.labelsBelowY === null) {
    return placeLabels(
      [label(lane.remark, NAMES_WIDTH + 8, "start", "quiet")],
      shape.barBottom - 4,
      NAMES_WIDTH,
      DRAWING_WIDTH,
    );
  }
  return [
    ...placeLabels(labelsAbove(lane, frame), shape.labelsAboveY, NAMES_WIDTH, DRAWING_WIDTH, nowLine),
    ...placeLabels(labelsBelow(lane, frame), shape.labelsBelowY, NAMES_WIDTH, DRAWING_WIDTH, nowLine),
  ];
}

function labelsAbove({ next, runs, attempts }: Lane, { axis }: DrawingFrame): Label[] {
  const detailed = runs.filter(({ endMs }) => endMs >= axis.extent.detailFromMs);
  const exits = detailed.map((run) =>
    label(run.label, axis.x(run.endMs), "middle", run.end === "failed" ? "bad" : "quiet"),
  );
  const unseen = detailed.filter(({ basis }) => basis === "inferred");
  return [
    ...(next === null ? [] : [label(next.label, axis.x(next.fromMs), "start", "strong uneasy", true)]),
    ...(attempts === null ? [] : [label(attempts.label, axis.x(attempts.newestAtMs), "end", "bad", true)]),
    ...newestFirst(exits.filter(({ text }) => text !== "")),
    ...unobservedLabel(unseen, axis.x),
  ];
}

function newestFirst(labels: readonly Label[]): Label[] {
  return labels.toReversed().map((label, index) => ({ ...label, canShift: index === 0 }));
}

function unobservedLabel(runs: readonly LaneRun[], x: (atMs: number) => number): Label[] {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return [];
  const text = `${counted(runs.length, "run")} not observed`;
  return [label(text, (x(first.startMs) + x(last.endMs)) / 2, "middle", "quiet")];
}

function labelsBelow({ reset, waits, remark }: Lane, { axis }: DrawingFrame): Label[] {
  const lengths = waits
    .filter(({ startMs }) => startMs >= axis.extent.detailFromMs)
    .map(({ label: text, startMs, endMs, wouldEndMs }) => {
      const [from, to] = wouldEndMs === null ? [startMs, endMs] : [endMs, wouldEndMs];
      return label(text, (axis.x(from) + axis.x(to)) / 2, "middle", "quiet");
    });
  return [
    ...(reset === null ? [] : [label(reset.label, axis.x(reset.atMs), "middle", "good", true)]),
    ...newestFirst(lengths),
    label(remark, NAMES_WIDTH + 8, "start", "quiet"),
  ];
}

function label(text: string, x: number, anchor: Label["anchor"], look: string, canShift = false): Label {
  return { text, x, anchor, look, canShift };
}

export interface Label {
  readonly text: string;
  readonly x: number;
  readonly anchor: "start" | "middle" | "end";
  readonly look: string;
  readonly canShift: boolean;
}

const GAP = 12;

const NOW_GAP = 5;

type Taken = readonly [left: number, right: number];

export function placeLabels(
  labels: readonly Label[],
  y: number,
  left: number,
  right: number,
  avoided: readonly Taken[] = [],
): XmlElement[] {
  const taken = [...avoided];
  const collision = ([from, to]: Box) => taken.find(([a, b]) => from < b && a < to);
  return labels.flatMap((label) => {
    if (label.text === "") return [];
    const wanted = boxOf(label, left, right);
    const box = [wanted, ...shifted(label, collision(wanted), left, right)].find(
      (each) => each[0] >= left && collision(each) === undefined,
    );
    if (box === undefined) return [];
    const [from, to, anchor] = box;
    taken.push([from - GAP, to + GAP]);
    const x = anchor === "start" ? from : anchor === "end" ? to : (from + to) / 2;
    return [element("text", { class: `label ${label.look}`.trim(), x, y, "text-anchor": anchor }, [label.text])];
  });
}

function shifted(label: Label, other: Taken | undefined, left: number, right: number): Box[] {
  if (other === undefined || !label.canShift) return [];
  const before = boxOf({ ...label, x: other[0], anchor: "end" }, left, right);
  const after = boxOf({ ...label, x: other[1], anchor: "start" }, left, right);
  return label.x < (other[0] + other[1]) / 2 ? [before, after] : [after, before];
}

type Box = readonly [left: number, right: number, anchor: Label["anchor"]];

function boxOf({ text, x, anchor }: Label, left: number, right: number): Box {
  const width = labelWidth(text);
  const from = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  if (from + width > right) return [right - width, right, "end"];
  return from < left ? [left, left + width, "start"] : [from, from + width, anchor];
}
