import type { XmlElement } from "../page/xml.ts";
import { type Frame, shapeOf } from "./frame.ts";
import { type Label, placeLabels } from "./labels.ts";
import type { Lane, LaneRun } from "./timeline.ts";

/** What is written above and below a lane's runs and waits, as far as there is room; the latest matters most. */
export function drawLabels(lane: Lane, frame: Frame): XmlElement[] {
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
