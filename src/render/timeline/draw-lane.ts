import { area } from "d3-shape";
import { counted } from "../page/paint.ts";
import { shorten } from "../page/width.ts";
import { element, withTooltip, type XmlElement } from "../page/xml.ts";
import { type DrawingFrame, type LaneShape, shapeOf } from "./axis.ts";
import { DRAWING_WIDTH, NAMES_WIDTH } from "./picture.ts";
import type { Lane, LaneRun, LaneWait } from "./timeline.ts";

const NAME_COLUMNS = 20;
const STATE_COLUMNS = 26;

export function drawLane(lane: Lane, frame: DrawingFrame): XmlElement[] {
  const shape = shapeOf(lane, frame);
  const line = { class: "rule", x1: NAMES_WIDTH, y1: shape.barBottom, x2: DRAWING_WIDTH, y2: shape.barBottom };
  return [
    ...drawName(lane, shape),
    element("line", line),
    ...drawWaits(lane, frame, shape),
    ...drawRuns(lane, frame, shape),
    ...drawAttempts(lane, frame, shape),
    ...drawLog(lane, frame, shape),
    ...drawNext(lane, frame, shape),
    ...drawReset(lane, frame, shape),
  ];
}

function drawName({ name, role, state, tone }: Lane, { barTop, barBottom }: LaneShape): XmlElement[] {
  const middle = (barTop + barBottom) / 2;
  return [
    withTooltip(name + role, [
      element("text", { class: "name", x: 0, y: middle - 3 }, [shorten(name, NAME_COLUMNS - role.length) + role]),
    ]),
    element("text", { class: tone, x: 0, y: middle + 14 }, [shorten(state, STATE_COLUMNS)]),
  ];
}

/** Hatches the time from the first to the newest attempt, because the times of attempts in between may be unknown. */
function drawAttempts({ attempts }: Lane, { axis }: DrawingFrame, shape: LaneShape): XmlElement[] {
  if (attempts === null) return [];
  const ends = [...new Set([attempts.firstAtMs, attempts.newestAtMs].map((atMs) => axis.x(atMs)))];
  const [x = 0, right = x] = ends;
  return [withTooltip(attempts.title, [...unobservedBar(x, right, shape), ...ends.map((end) => failure(end, shape))])];
}

/** Draws at most one short line per half pixel, because a log may have very many lines. */
function drawLog({ logLinesAtMs }: Lane, { axis }: DrawingFrame, { barBottom }: LaneShape): XmlElement[] {
  const xs = new Set(logLinesAtMs.map((atMs) => Math.round(axis.x(atMs) * 2) / 2));
  if (xs.size === 0) return [];
  const d = [...xs].map((x) => `M${x} ${barBottom + 1}V${barBottom + LOG_LINE_HEIGHT}`).join("");
  return [withTooltip(counted(logLinesAtMs.length, "log line"), [element("path", { class: "log-line", d })])];
}

const LOG_LINE_HEIGHT = 6;

const LEAST_WINDOW = 3;

function drawNext({ next }: Lane, { axis }: DrawingFrame, { barTop, barBottom }: LaneShape): XmlElement[] {
  if (next === null) return [];
  const x = axis.x(next.fromMs);
  const width = Math.max(axis.x(next.toMs) - x, LEAST_WINDOW);
  return [
    withTooltip(next.title, [
      element("rect", { class: "next", x, y: barTop, width, height: barBottom - barTop, rx: 1 }),
    ]),
  ];
}

function drawReset({ reset }: Lane, { axis }: DrawingFrame, { barTop, barBottom }: LaneShape): XmlElement[] {
  if (reset === null) return [];
  const x = axis.x(reset.atMs);
  return [
    withTooltip(reset.title, [
      element("line", { class: "reset dashed end", x1: x, y1: barTop - 4, x2: x, y2: barBottom + 5 }),
    ]),
  ];
}

/** The height of a ramp stands for the time left. */
function drawWaits(lane: Lane, frame: DrawingFrame, shape: LaneShape): XmlElement[] {
  return lane.waits
    .filter(({ endMs }) => endMs > frame.axis.extent.detailFromMs)
    .map((wait) => withTooltip(wait.title, ramps(wait, frame, shape)));
}

function ramps(wait: LaneWait, frame: DrawingFrame, shape: LaneShape): XmlElement[] {
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
    ...crashLoopBackOffBar(wait, frame, shape),
  ];
}

function crashLoopBackOffBar(
  { crashLoopBackOffMs }: LaneWait,
  { axis }: DrawingFrame,
  { barBottom }: LaneShape,
): XmlElement[] {
  if (crashLoopBackOffMs === null) return [];
  const [x, right] = crashLoopBackOffMs.map((atMs) => axis.x(atMs)) as [number, number];
  return [element("rect", { class: "word", x, y: barBottom + 1, width: right - x, height: 3 })];
}

function rampPath(fromMs: number, toMs: number, zeroMs: number, frame: DrawingFrame, shape: LaneShape): string {
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

/** In pixels. A narrower bar could be hard to see beside the line at its end. */
const LEAST_WIDTH = 4;

const LEAST_GAP = 2;

/** Half of the `stroke-width` of `.timeline .end` in pixels. */
const HALF_END_WIDTH = 1;

function drawRuns(lane: Lane, frame: DrawingFrame, shape: LaneShape): XmlElement[] {
  const fromMs = frame.axis.extent.detailFromMs;
  const condensed = lane.runs.filter(({ endMs }) => endMs < fromMs);
  const detailed = lane.runs.filter(({ endMs }) => endMs >= fromMs);
  const seen = detailed.filter(({ basis }) => basis === "observed");
  return [
    ...drawCondensed(condensed, frame, shape),
    ...seen.map((run, index) => drawRun(run, seen[index - 1], frame, shape)),
    ...blocksOf(detailed, frame).map((block) => drawBlock(block, frame, shape)),
  ];
}

function drawRun(run: LaneRun, before: LaneRun | undefined, { axis }: DrawingFrame, shape: LaneShape): XmlElement {
  const leastX = before === undefined ? 0 : axis.x(before.endMs) + 2 * HALF_END_WIDTH + LEAST_GAP;
  const startX = axis.x(run.startMs);
  const x = Math.min(Math.max(startX, leastX), Math.max(startX, axis.x(run.endMs) - LEAST_WIDTH));
  const right = Math.max(axis.x(run.endMs), x + LEAST_WIDTH);
  const bar = { x, y: shape.barTop, width: right - x, height: shape.barBottom - shape.barTop };
  const look = run.end === "succeeded" ? "run succeeded" : "run";
  return withTooltip(run.title, [
    ...(run.end === "never-ran" ? [] : [element("rect", { class: look, ...bar })]),
    ...(run.end === "failed" || run.end === "never-ran" ? [failure(right + HALF_END_WIDTH, shape)] : []),
  ]);
}

function failure(x: number, { barTop, barBottom }: LaneShape): XmlElement {
  return element("line", { class: "end", x1: x, y1: barTop - 4, x2: x, y2: barBottom });
}

/** Unobserved runs that touch each other share one shape, because it is unknown when each of them began. */
function blocksOf(runs: readonly LaneRun[], { axis }: DrawingFrame): LaneRun[][] {
  const blocks: LaneRun[][] = [];
  for (const run of runs.filter(({ basis }) => basis === "inferred")) {
    const block = blocks.at(-1);
    const last = block?.at(-1);
    if (last !== undefined && axis.x(run.startMs) - axis.x(last.endMs) < 1) block?.push(run);
    else blocks.push([run]);
  }
  return blocks;
}

function drawBlock(block: readonly LaneRun[], { axis }: DrawingFrame, shape: LaneShape): XmlElement {
  const [first, last] = [block[0], block.at(-1)];
  const [x, right] = [axis.x(first?.startMs ?? 0), axis.x(last?.endMs ?? 0)];
  const title = block.length === 1 ? `${first?.title}` : `${block.length} runs. ${NOT_OBSERVED}`;
  return withTooltip(title, unobservedBar(x, Math.max(right, x + LEAST_WIDTH), shape));
}

const NOT_OBSERVED = "Not observed: there were so many runs, but when each began and ended is unknown.";

function unobservedBar(x: number, right: number, { barTop, barBottom }: LaneShape): XmlElement[] {
  const y = barTop + (barBottom - barTop) / 4;
  return [
    element("path", { class: "hatch", fill: "none", d: hatching(x, y, right, barBottom) }),
    element("rect", { class: "run unseen", x, y, width: right - x, height: barBottom - y }),
  ];
}

function drawCondensed(runs: readonly LaneRun[], { axis }: DrawingFrame, shape: LaneShape): XmlElement[] {
  const first = runs[0];
  if (first === undefined) return [];
  const [x, right] = [axis.x(first.startMs), axis.x(axis.extent.detailFromMs)];
  const unseen = runs.filter(({ basis }) => basis === "inferred").length;
  const count = counted(runs.length, "run");
  const title = `${count} before, condensed${unseen > 0 ? `; ${unseen} of them not observed` : ""}`;
  const at = { x: (x + right) / 2, y: (shape.barTop + shape.barBottom) / 2 + 8, "text-anchor": "middle" };
  return [
    withTooltip(title, [...unobservedBar(x, right, shape), element("text", { class: "label inside", ...at }, [count])]),
  ];
}

const STEP = 5;

/** Draws each line, because an SVG pattern needs an id, which must be unique in a page. */
function hatching(left: number, top: number, right: number, bottom: number): string {
  const height = bottom - top;
  const lines: string[] = [];
  for (let x = left - height + STEP; x < right; x += STEP) {
    const [from, to] = [Math.max(x, left), Math.min(x + height, right)];
    if (to > from) lines.push(`M${round(from)} ${round(bottom - (from - x))}L${round(to)} ${round(bottom - (to - x))}`);
  }
  return lines.join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
