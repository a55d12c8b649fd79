import { scaleLinear, scaleLog } from "d3-scale";
import { formatBriefDuration, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../kubelet/go-duration.ts";
import { element, type XmlElement } from "../page/xml.ts";

export interface ChartScale {
  /** Returns pixels. A value outside the axis gets the pixels of the nearer end. */
  at(value: number): number;
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
}

export type PixelRange = readonly [from: number, to: number];

const STEPS_MS = [
  ...[0.01, 0.1, 1, 10, 100],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR_MS),
];
/** An axis may show only the first, third, fifth step and so on, so the positions in this list matter. */
const LOG_STEPS_MS = [
  ...[0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300],
  ...[1, 3, 10, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 3, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[2, 6, 24, 72].map((hours) => hours * HOUR_MS),
];
const LEAST_LOG_MS = 0.01;
const FEW = 3;

export function linearScale(most: number, range: PixelRange, count: number): ChartScale {
  const scale = scaleLinear([0, most > 0 ? most : 1], [...range])
    .nice(count)
    .clamp(true);
  return { at: scale, ticks: ticksAt(scale.ticks(count), scale.tickFormat(count)) };
}

export function shareScale(range: PixelRange): ChartScale {
  const ticks = ticksAt([0, 0.25, 0.5, 0.75, 1], (share) => `${share * 100}%`);
  return { at: scaleLinear([0, 1], [...range]).clamp(true), ticks };
}

export function valuesScale(values: readonly number[], range: PixelRange, leastDistance: number): ChartScale {
  const scale = scaleLinear([0, Math.max(...values)], [...range]).clamp(true);
  const named: number[] = [];
  for (const value of values.toSorted((one, other) => other - one)) {
    const next = named[0];
    if (next === undefined || scale(next) - scale(value) >= leastDistance) named.unshift(value);
  }
  return { at: scale, ticks: ticksAt(named, String) };
}

export function roundDurationScale(mostMs: number, range: PixelRange, count: number): ChartScale {
  const stepMs = stepOf(Math.max(mostMs, 1), count);
  return durationScale(Math.ceil(mostMs / stepMs) * stepMs, range, count);
}

function stepOf(lengthMs: number, count: number): number {
  return STEPS_MS.find((candidate) => lengthMs / candidate <= count) ?? lengthMs;
}

export function durationScale(mostMs: number, range: PixelRange, count: number): ChartScale {
  const lengthMs = Math.max(mostMs, 1);
  const stepMs = stepOf(lengthMs, count);
  const values = Array.from({ length: Math.floor(lengthMs / stepMs) + 1 }, (_, index) => index * stepMs);
  const ticks = ticksAt(values, (value) => (value === 0 ? "0" : formatBriefDuration(value)));
  return { at: scaleLinear([0, lengthMs], [...range]).clamp(true), ticks };
}

export function logDurationScale(leastMs: number, mostMs: number, range: PixelRange): ChartScale {
  const from = Math.max(leastMs, LEAST_LOG_MS);
  const to = Math.max(mostMs, from * 10);
  const inside = (values: readonly number[]) => values.filter((value) => value >= from && value <= to);
  const coarse = inside(LOG_STEPS_MS.filter((_, index) => index % 2 === 0));
  const ticks = ticksAt(coarse.length < FEW ? inside(LOG_STEPS_MS) : coarse, formatBriefDuration);
  return { at: scaleLog([from, to], [...range]).clamp(true), ticks };
}

function ticksAt(values: readonly number[], labelOf: (value: number) => string): ChartScale["ticks"] {
  return values.map((value) => ({ value, label: labelOf(value) }));
}

export interface PlotArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export function leftAxis({ left, right, bottom }: PlotArea, scale: ChartScale): XmlElement[] {
  const ground = element("line", { class: "axis", x1: left, y1: bottom + 0.5, x2: right, y2: bottom + 0.5 });
  const named = scale.ticks.flatMap(({ value, label }) => {
    const y = Math.round(scale.at(value)) + 0.5;
    return [
      ...(y < bottom ? [element("line", { class: "grid", x1: left, y1: y, x2: right, y2: y })] : []),
      element("text", { class: "tick", x: left - 8, y: y + 3.5, "text-anchor": "end" }, [label]),
    ];
  });
  return [...named, ground];
}

export function bottomAxis({ bottom }: PlotArea, scale: ChartScale): XmlElement[] {
  return scale.ticks.flatMap(({ value, label }) => {
    const x = Math.round(scale.at(value)) + 0.5;
    return [
      element("line", { class: "grid", x1: x, y1: bottom, x2: x, y2: bottom + 4 }),
      element("text", { class: "tick", x, y: bottom + 17, "text-anchor": "middle" }, [label]),
    ];
  });
}
