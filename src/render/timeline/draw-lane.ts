import { area } from "d3-shape";
import { shorten } from "../page/width.ts";
import { element, type XmlElement } from "../page/xml.ts";
import { drawRuns } from "./draw-runs.ts";
import { type Frame, type LaneShape, shapeOf } from "./frame.ts";
import type { Lane, LaneWait } from "./timeline.ts";

/** The columns of a name that fit beside a lane. */
const NAME_COLUMNS = 20;

const STATE_COLUMNS = 26;

/** One lane at the top of a coordinate system of its own: its name on the left, what happened in it on the right. Labels come later. */
export function drawLane(lane: Lane, frame: Frame): XmlElement[] {
  const shape = shapeOf(lane, frame);
  const line = { class: "rule", x1: frame.left, y1: shape.barBottom, x2: frame.right, y2: shape.barBottom };
  return [
    ...drawName(lane, shape),
    element("line", line),
    ...drawWaits(lane, frame, shape),
    ...drawRuns(lane, frame, shape),
    ...drawNext(lane, frame, shape),
    ...drawReset(lane, frame, shape),
  ];
}

function drawName({ name, role, state, tone }: Lane, { barTop, barBottom }: LaneShape): XmlElement[] {
  const middle = (barTop + barBottom) / 2;
  const look = tone === "quiet" || tone === "title" ? "quiet-tone" : tone;
  return [
    element("g", { class: "item" }, [
      element("title", {}, [name + role]),
      element("text", { class: "name", x: 0, y: middle - 3 }, [shorten(name, NAME_COLUMNS - role.length) + role]),
    ]),
    element("text", { class: look, x: 0, y: middle + 14 }, [shorten(state, STATE_COLUMNS)]),
  ];
}

const LEAST_WINDOW = 3;

function drawNext({ next }: Lane, { axis }: Frame, { barTop, barBottom }: LaneShape): XmlElement[] {
  if (next === null) return [];
  const x = axis.x(next.fromMs);
  const width = Math.max(axis.x(next.toMs) - x, LEAST_WINDOW);
  return [
    element("g", { class: "item" }, [
      element("title", {}, [next.title]),
      element("rect", { class: "next", x, y: barTop, width, height: barBottom - barTop, rx: 1 }),
    ]),
  ];
}

function drawReset({ reset }: Lane, { axis }: Frame, { barTop, barBottom }: LaneShape): XmlElement[] {
  if (reset === null) return [];
  const x = axis.x(reset.atMs);
  return [
    element("g", { class: "item" }, [
      element("title", {}, [reset.title]),
      element("line", { class: "reset dashed end", x1: x, y1: barTop - 4, x2: x, y2: barBottom + 5 }),
    ]),
  ];
}

/**
 * A lane's waits as ramps: as high as what is left of them, so each falls to the line at the start that ends it, and the
 * doubling shows. What lies after now is paler; what a reset cuts off is dashed.
 */
function drawWaits(lane: Lane, frame: Frame, shape: LaneShape): XmlElement[] {
  return lane.waits
    .filter(({ endMs }) => endMs > frame.axis.extent.detailFromMs)
    .map((wait) => element("g", { class: "item" }, [element("title", {}, [wait.title]), ...ramps(wait, frame, shape)]));
}

function ramps(wait: LaneWait, frame: Frame, shape: LaneShape): XmlElement[] {
  const { startMs, endMs, wouldEndMs, basis } = wait;
  const zeroMs = wouldEndMs ?? endMs;
  const ramp = (look: string, fromMs: number, toMs: number): XmlElement[] =>
    toMs <= fromMs ? [] : [element("path", { class: look, d: rampPath(fromMs, toMs, zeroMs, frame, shape) })];
  if (basis === "inferred") return ramp("wait unseen", startMs, endMs);
  const nowMs = frame.nowMs ?? endMs;
  return [
    ...ramp("spent", startMs, Math.min(nowMs, endMs)),
    ...ramp("ahead", Math.max(nowMs, startMs), endMs),
    ...ramp("wait", startMs, endMs),
    ...(wouldEndMs === null ? [] : ramp("wait cut dashed", endMs, wouldEndMs)),
    ...wordBar(wait, frame, shape),
  ];
}

/** Below the part of a wait in which kubectl shows CrashLoopBackOff. */
function wordBar({ shownMs = null }: LaneWait, { axis }: Frame, { barBottom }: LaneShape): XmlElement[] {
  if (shownMs === null) return [];
  const [x, right] = shownMs.map((atMs) => axis.x(atMs)) as [number, number];
  return [element("rect", { class: "word", x, y: barBottom + 1, width: right - x, height: 3 })];
}

/** The part of a ramp between two instants; it would meet the line at `zeroMs`. */
function rampPath(fromMs: number, toMs: number, zeroMs: number, frame: Frame, shape: LaneShape): string {
  const { axis, longestWaitMs } = frame;
  const firstMs = Math.max(fromMs, axis.extent.detailFromMs);
  const highest = shape.barBottom - shape.barTop;
  const heightAt = (atMs: number): number => (longestWaitMs > 0 ? ((zeroMs - atMs) / longestWaitMs) * highest : 0);
  const path = area<number>()
    .x((atMs) => axis.x(atMs))
    .y0(shape.barBottom)
    .y1((atMs) => shape.barBottom - heightAt(atMs))
    .digits(2);
  return path([firstMs, toMs]) ?? "";
}
