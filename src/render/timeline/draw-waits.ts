import { area } from "d3-shape";
import { element, type XmlElement } from "../page/xml.ts";
import type { Frame, LaneShape } from "./frame.ts";
import type { Lane, LaneWait } from "./timeline.ts";

/**
 * A lane's waits as ramps: as high as what is left of them, so each falls to the line at the start that ends it, and the
 * doubling shows. What lies after now is paler; what a reset cuts off is dashed.
 */
export function drawWaits(lane: Lane, frame: Frame, shape: LaneShape): XmlElement[] {
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
  ];
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
