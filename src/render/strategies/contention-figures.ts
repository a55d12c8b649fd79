import { formatBriefDuration } from "../../kubelet/go-duration.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** A length of time in three figures or so: "382ms", "3.54s", "36.5s", "1m41s". */
export function formatSpan(ms: number): string {
  if (ms < SECOND_MS) return formatBriefDuration(roundTo(ms, ms < 10 ? 0.01 : ms < 100 ? 0.1 : 1));
  if (ms < MINUTE_MS) return formatBriefDuration(roundTo(ms, ms < 10 * SECOND_MS ? 10 : 100));
  return formatBriefDuration(roundTo(ms, SECOND_MS));
}

/** A mean number of things: "51.1", "690", "8005". */
export function formatMean(count: number): string {
  const tenths = roundTo(count, 0.1);
  return tenths < 100 ? tenths.toFixed(1) : String(Math.round(count));
}

/** "67%", and 0% and 100% only for none and all. */
export function formatShare(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0 && share > 0) return "<1%";
  return percent === 100 && share < 1 ? ">99%" : `${percent}%`;
}

/** The multiple of `step` that is nearest, without the noise of binary fractions. */
export function roundTo(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toFixed(3));
}
