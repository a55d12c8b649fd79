import { element, type XmlElement } from "../xml.ts";
import type { Frame, LaneShape } from "./frame.ts";
import type { Lane, LaneRun } from "./timeline.ts";

/** A run of a second among hours has to be seen, too. */
const LEAST_WIDTH = 3;

/** A lane's runs as bars, a red line at the end of each that failed; what nobody saw is hatched. */
export function drawRuns(lane: Lane, frame: Frame, shape: LaneShape): XmlElement[] {
  const fromMs = frame.axis.extent.detailFromMs;
  const condensed = lane.runs.filter(({ endMs }) => endMs < fromMs);
  const detailed = lane.runs.filter(({ endMs }) => endMs >= fromMs);
  return [...drawCondensed(condensed, frame, shape), ...detailed.map((run) => drawRun(run, frame, shape))];
}

function drawRun(run: LaneRun, { axis }: Frame, shape: LaneShape): XmlElement {
  const x = axis.x(run.startMs);
  const right = Math.max(axis.x(run.endMs), x + LEAST_WIDTH);
  const title = element("title", {}, [run.title]);
  if (run.basis === "inferred") return element("g", { class: "item" }, [title, ...unseenBar(x, right, shape)]);
  const bar = { x, y: shape.barTop, width: right - x, height: shape.barBottom - shape.barTop, rx: 1 };
  const look = run.end === "succeeded" ? "run succeeded" : "run";
  return element("g", { class: "item" }, [
    title,
    element("rect", { class: look, ...bar }),
    ...(run.end === "failed" ? [failure(right, shape)] : []),
  ]);
}

function failure(right: number, { barTop, barBottom }: LaneShape): XmlElement {
  return element("line", { class: "end", x1: right, y1: barTop - 4, x2: right, y2: barBottom });
}

function unseenBar(x: number, right: number, { barTop, barBottom }: LaneShape): XmlElement[] {
  const height = barBottom - barTop;
  const [y, low] = [barTop + height / 4, barBottom];
  return [
    element("path", { class: "hatch", fill: "none", d: hatching(x, y, right, low) }),
    element("rect", { class: "run unseen", x, y, width: right - x, height: low - y, "pointer-events": "all" }),
  ];
}

const HATCH_STEP = 5;

/** Diagonal lines inside a box, as the data of a path. */
function hatching(left: number, top: number, right: number, bottom: number): string {
  const height = bottom - top;
  const lines: string[] = [];
  for (let x = left - height + HATCH_STEP; x < right; x += HATCH_STEP) {
    const [from, to] = [Math.max(x, left), Math.min(x + height, right)];
    if (to > from) lines.push(`M${round(from)} ${round(bottom - (from - x))}L${round(to)} ${round(bottom - (to - x))}`);
  }
  return lines.join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** What is too long ago for a bar each: one block, and how many runs it stands for. */
function drawCondensed(runs: readonly LaneRun[], { axis, left }: Frame, shape: LaneShape): XmlElement[] {
  const first = runs[0];
  if (first === undefined) return [];
  const [x, right] = [axis.x(first.startMs), axis.x(axis.extent.detailFromMs)];
  const unseen = runs.filter(({ basis }) => basis === "inferred").length;
  const count = runs.length === 1 ? "1 run" : `${runs.length} runs`;
  const title = `${count} before, condensed${unseen > 0 ? `; ${unseen} of them not seen` : ""}`;
  const middle = (Math.max(x, left) + right) / 2;
  const box = { x: middle - 34, y: shape.barBottom - 22, width: 68, height: 16, rx: 3 };
  return [
    element("g", { class: "item" }, [
      element("title", {}, [title]),
      ...unseenBar(x, right, shape),
      element("rect", { class: "panel", ...box }),
      element("text", { class: "label quiet", x: middle, y: shape.barBottom - 10, "text-anchor": "middle" }, [count]),
    ]),
  ];
}
