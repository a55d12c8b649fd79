import type { Axis } from "./axis.ts";
import type { Lane } from "./timeline.ts";

/** The place that a picture has for time: its axis, and the x between which it is drawn. */
export interface Frame {
  readonly axis: Axis;
  readonly left: number;
  readonly right: number;
  readonly nowMs: number | null;
  /** The longest wait of all lanes: it is as high as a run. */
  readonly longestWaitMs: number;
  /** There are so many lanes that each is low. */
  readonly isDense: boolean;
}

/** Where the parts of a lane are, from its top down. */
export interface LaneShape {
  readonly height: number;
  /** The baseline of the labels above the runs; null where there are none. */
  readonly labelsAt: number | null;
  readonly barTop: number;
  /** The line that runs stand on. */
  readonly barBottom: number;
  readonly waitLabelsAt: number | null;
}

const BUSY: LaneShape = { height: 94, labelsAt: 18, barTop: 26, barBottom: 62, waitLabelsAt: 77 };
const DENSE: LaneShape = { height: 54, labelsAt: 11, barTop: 15, barBottom: 39, waitLabelsAt: 50 };
const CALM: LaneShape = { height: 44, labelsAt: null, barTop: 15, barBottom: 29, waitLabelsAt: null };

/** A lane that needs no attention is low. */
export function shapeOf({ isCalm }: Lane, { isDense }: Pick<Frame, "isDense">): LaneShape {
  if (isCalm) return CALM;
  return isDense ? DENSE : BUSY;
}
