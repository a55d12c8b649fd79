import { shorten } from "../page/width.ts";
import { element, type XmlElement } from "../page/xml.ts";
import { drawRuns } from "./draw-runs.ts";
import { drawWaits } from "./draw-waits.ts";
import { type Frame, type LaneShape, shapeOf } from "./frame.ts";
import type { Lane } from "./timeline.ts";

/** The columns of a name that fit beside a lane. */
const NAME_COLUMNS = 20;

const STATE_COLUMNS = 26;

/** One lane at the top of a coordinate system of its own: its name on the left, what happened in it on the right. Labels come later. */
export function drawLane(lane: Lane, frame: Frame): XmlElement[] {
  const shape = shapeOf(lane);
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
