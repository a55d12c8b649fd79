import { scaleLinear, scaleUtc } from "d3-scale";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { localTime, zoneName, zoneOffsetMs } from "../page/times.ts";
import type { Extent } from "./extent.ts";
import type { Clock, Lane } from "./timeline.ts";

/** Where instants are on a picture's horizontal axis. */
export interface Axis {
  readonly extent: Extent;
  /** The x of an instant; those outside the extent are at its edge. */
  x(atMs: number): number;
  /** Round instants of the part in detail, each with its label. */
  readonly ticks: readonly Tick[];
  /** An instant to the second, e.g. "13:44:20". */
  clockTime(atMs: number): string;
  /** What the labels do not say, e.g. "Nov 21, GMT+1". */
  readonly unit: string;
}

/** One labelled instant of an axis. */
interface Tick {
  readonly x: number;
  readonly label: string;
}

/** The condensed part gets this share of the width. */
const CONDENSED_SHARE = 0.16;

/** A label and the space beside it. */
const TICK_WIDTH = 95;

/** An axis from x `left` to x `right`. */
export function axisOf(extent: Extent, clock: Clock, left: number, right: number): Axis {
  const { startMs, detailFromMs, endMs } = extent;
  const detailLeft = detailFromMs > startMs ? left + (right - left) * CONDENSED_SHARE : left;
  const domain = detailFromMs > startMs ? [startMs, detailFromMs, endMs] : [startMs, endMs];
  const range = detailFromMs > startMs ? [left, detailLeft, right] : [left, right];
  const scale = scaleLinear(domain, range).clamp(true);
  const zone = clock.kind === "zone" ? clock.timeZone : "UTC";
  const offsetMs = zoneOffsetMs(zone, endMs);
  const round = scaleUtc([detailFromMs + offsetMs, endMs + offsetMs], [0, 1]);
  const instants = round.ticks(Math.max(2, Math.floor((right - detailLeft) / TICK_WIDTH))).map(Number);
  const stepMs = (instants[1] ?? 0) - (instants[0] ?? 0);
  return {
    extent,
    x: (atMs) => scale(atMs),
    ticks: instants.map((localMs) => ({ x: scale(localMs - offsetMs), label: tickLabel(localMs, stepMs, clock) })),
    clockTime: (atMs) =>
      clock.kind === "zone" ? new Date(atMs + offsetMs).toISOString().slice(11, 19) : formatBriefDuration(atMs),
    unit: clock.kind === "zone" ? unitOf(endMs, zone) : "since the first start",
  };
}

const DAY_MS = 86_400_000;

function tickLabel(localMs: number, stepMs: number, { kind }: Clock): string {
  if (kind === "elapsed") return formatBriefDuration(localMs);
  const time = new Date(localMs).toISOString();
  if (localMs % DAY_MS === 0) return localTime(localMs, 0).day;
  return stepMs > 0 && stepMs < 60_000 ? time.slice(11, 19) : time.slice(11, 16);
}

function unitOf(atMs: number, timeZone: string | undefined): string {
  const offsetMs = zoneOffsetMs(timeZone, atMs);
  return `${localTime(atMs, offsetMs).day}, ${zoneName(offsetMs)}`;
}

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
