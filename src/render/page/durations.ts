import { millisecondsToHours } from "date-fns/millisecondsToHours";
import { millisecondsToMinutes } from "date-fns/millisecondsToMinutes";
import { millisecondsToSeconds } from "date-fns/millisecondsToSeconds";
import type { Window } from "../../explain/answer/explanation.ts";
import { formatPercent } from "../../explain/answer/prose.ts";
import { ceilToSecond, floorToSecond, formatBriefDuration } from "../../kubelet/go-duration.ts";
import { CONFIDENCE } from "../../kubelet/start-distribution.ts";

/**
 * Mirrors `HumanDuration` (k8s.io/apimachinery v0.37.1, pkg/util/duration/duration.go). Deliberate difference: "1m27s",
 * as in sentences, where kubectl has "87s".
 */
export function formatElapsed(ms: number): string {
  const seconds = millisecondsToSeconds(ms);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 60) return `${seconds}s`;
  const minutes = millisecondsToMinutes(ms);
  if (minutes < 10) return twoUnits(minutes, "m", seconds % 60, "s");
  if (minutes < 60 * 3) return `${minutes}m`;
  return formatHours(millisecondsToHours(ms), minutes % 60);
}

/** Assumed: an instant less than 2 s in the future is a difference of clocks. */
export function isAhead(ageMs: number): boolean {
  return ageMs <= -2_000;
}

function formatHours(hours: number, minutes: number): string {
  const days = Math.trunc(hours / 24);
  const years = Math.trunc(days / 365);
  if (hours < 8) return twoUnits(hours, "h", minutes, "m");
  if (hours < 48) return `${hours}h`;
  if (hours < 24 * 8) return twoUnits(days, "d", hours % 24, "h");
  if (hours < 24 * 365 * 2) return `${days}d`;
  return hours < 24 * 365 * 8 ? twoUnits(years, "y", days % 365, "d") : `${years}y`;
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/** Takes ms from now, rounds outwards to seconds, and returns e.g. "in 1m27s-1m57s", "within 28s" or "now". */
export function formatCountdown(fromMs: number, toMs: number): string {
  const from = Math.max(0, floorToSecond(fromMs));
  const to = Math.max(from, ceilToSecond(toMs));
  if (to === 0) return "now";
  if (from === 0) return `within ${formatBriefDuration(to)}`;
  return `in ${formatBriefDuration(from)}${from === to ? "" : `-${formatBriefDuration(to)}`}`;
}

export function formatWindow({ notBeforeMs, likelyByMs }: Window, nowMs: number): string {
  return formatCountdown(notBeforeMs - nowMs, likelyByMs - nowMs);
}

export function windowCell(window: Window, nowMs: number): string {
  return withoutIn(formatWindow(window, nowMs));
}

export const CONFIDENCE_WORDS = `${formatPercent(CONFIDENCE)} confidence`;

export function formatCountdownTo(ms: number): string {
  const wholeMs = ceilToSecond(ms);
  return formatCountdown(wholeMs, wholeMs);
}

export function countdownCellTo(ms: number): string {
  return withoutIn(formatCountdownTo(ms));
}

function withoutIn(countdown: string): string {
  return countdown.replace(/^in /, "");
}
