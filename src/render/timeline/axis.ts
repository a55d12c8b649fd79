import { scaleLinear, scaleUtc } from "d3-scale";
import { DAY_MS, formatBriefDuration } from "../../kubelet/go-duration.ts";
import { localTime, zoneName, zoneOffsetMs } from "../page/times.ts";
import type { Extent } from "./extent.ts";
import type { Clock, Lane } from "./timeline.ts";

export interface Axis {
  readonly extent: Extent;
  /** Returns pixels. An instant outside the axis gets the pixels of the nearer end. */
  x(atMs: number): number;
  readonly ticks: readonly { readonly x: number; readonly label: string }[];
  clockTime(atMs: number): string;
  readonly unit: string;
}

const CONDENSED_SHARE = 0.16;

const TICK_WIDTH = 95;

export function axisOf(extent: Extent, clock: Clock, left: number, right: number): Axis {
  const { startMs, detailFromMs, endMs } = extent;
  const isCondensed = detailFromMs > startMs;
  const detailLeft = isCondensed ? left + (right - left) * CONDENSED_SHARE : left;
  const domain = isCondensed ? [startMs, detailFromMs, endMs] : [startMs, endMs];
  const range = isCondensed ? [left, detailLeft, right] : [left, right];
  const scale = scaleLinear(domain, range).clamp(true);
  const zone = clock.kind === "zone" ? clock.timeZone : "UTC";
  const offsetMs = zoneOffsetMs(zone, endMs);
  const round = scaleUtc([detailFromMs + offsetMs, endMs + offsetMs], [0, 1]);
  const instants = round.ticks(Math.max(2, Math.floor((right - detailLeft) / TICK_WIDTH))).map(Number);
  const { day } = localTime(endMs, offsetMs);
  const stepMs = (instants[1] ?? 0) - (instants[0] ?? 0);
  return {
    extent,
    x: (atMs) => scale(atMs),
    ticks: instants.map((localMs) => ({ x: scale(localMs - offsetMs), label: tickLabel(localMs, stepMs, clock) })),
    clockTime: (atMs) => localTime(atMs, offsetMs).clock,
    unit: clock.kind === "zone" ? `${day}, ${zoneName(offsetMs)}` : "since the first start",
  };
}

function tickLabel(localMs: number, stepMs: number, { kind }: Clock): string {
  if (kind === "elapsed") return formatBriefDuration(localMs);
  const time = new Date(localMs).toISOString();
  if (localMs % DAY_MS === 0) return localTime(localMs, 0).day;
  return stepMs > 0 && stepMs < 60_000 ? time.slice(11, 19) : time.slice(11, 16);
}

export interface DrawingFrame {
  readonly axis: Axis;
  readonly nowMs: number | null;
  /** The ramp of a wait of this length is as high as the bar of a run. */
  readonly longestWaitMs: number;
  readonly isDense: boolean;
}

/** In pixels from the top of the lane. `labelsAboveY` or `labelsBelowY` is null if the lane has no such labels. */
export interface LaneShape {
  readonly height: number;
  readonly labelsAboveY: number | null;
  readonly barTop: number;
  readonly barBottom: number;
  readonly labelsBelowY: number | null;
}

const BUSY: LaneShape = { height: 94, labelsAboveY: 18, barTop: 26, barBottom: 62, labelsBelowY: 77 };
const DENSE: LaneShape = { height: 54, labelsAboveY: 11, barTop: 15, barBottom: 39, labelsBelowY: 50 };
const CALM: LaneShape = { height: 44, labelsAboveY: null, barTop: 15, barBottom: 29, labelsBelowY: null };

export function shapeOf({ isCalm }: Lane, { isDense }: Pick<DrawingFrame, "isDense">): LaneShape {
  if (isCalm) return CALM;
  return isDense ? DENSE : BUSY;
}
