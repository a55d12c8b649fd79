import { describe, expect, it } from "vitest";
import { formatBriefDuration } from "../../src/kubelet/go-duration.ts";
import { formatCountdown, formatElapsed } from "../../src/render/page/durations.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

describe("formatElapsed()", () => {
  /**
   * The rows are from TestHumanDuration and TestHumanDurationBoundaries (k8s.io/apimachinery v0.37.1,
   * pkg/util/duration/duration_test.go). Unlike there, "-2s + 1ns" is "-2s + 1ms", and the second minute is printed in
   * minutes and seconds.
   */
  it.each([
    [-2 * SECOND, "<invalid>"],
    [-2 * SECOND + 1, "0s"],
    [SECOND - 1, "0s"],
    [SECOND, "1s"],
    [MINUTE - 1, "59s"],
    [MINUTE, "1m"],
    [70 * SECOND, "1m10s"],
    [2 * MINUTE - 1, "1m59s"],
    [2 * MINUTE, "2m"],
    [2 * MINUTE + SECOND, "2m1s"],
    [190 * SECOND, "3m10s"],
    [10 * MINUTE - 1, "9m59s"],
    [10 * MINUTE + SECOND, "10m"],
    [3 * HOUR - 1, "179m"],
    [3 * HOUR, "3h"],
    [3 * HOUR + MINUTE, "3h1m"],
    [8 * HOUR - 1, "7h59m"],
    [8 * HOUR + 59 * MINUTE, "8h"],
    [2 * DAY - 1, "47h"],
    [2 * DAY, "2d"],
    [2 * DAY + HOUR, "2d1h"],
    [8 * DAY - 1, "7d23h"],
    [8 * DAY + 23 * HOUR, "8d"],
    [2 * YEAR - 1, "729d"],
    [2 * YEAR, "2y"],
    [2 * YEAR + DAY - 1, "2y"],
    [2 * YEAR + DAY, "2y1d"],
    [8 * YEAR - 1, "7y364d"],
    [8 * YEAR + 364 * DAY, "8y"],
    [9 * YEAR, "9y"],
  ])("prints %d ms as %s", (ms, printed) => {
    expect(formatElapsed(ms)).toBe(printed);
  });
});

describe("formatBriefDuration()", () => {
  it.each([
    { ms: 0, printed: "0s", why: "zero" },
    { ms: 400, printed: "400ms", why: "less than a second" },
    { ms: 10_000, printed: "10s", why: "the first delay" },
    { ms: 87_000, printed: "1m27s", why: "87s are a minute and 27 seconds" },
    { ms: 160_000, printed: "2m40s", why: "as in the kubelet's message" },
    { ms: 300_000, printed: "5m", why: "the 0s that Go prints is left out" },
    { ms: 3_600_000, printed: "1h", why: "the 0m0s that Go prints is left out" },
    { ms: 3_605_000, printed: "1h0m5s", why: "a zero between other units stays" },
    { ms: 1_500, printed: "1.5s", why: "a fraction is kept" },
    { ms: 20 * 60_000, printed: "20m", why: "the zero of a number like 20 stays" },
  ])("prints $ms ms as $printed: $why", ({ ms, printed }) => {
    expect(formatBriefDuration(ms)).toBe(printed);
  });
});

describe("formatCountdown()", () => {
  it.each([
    { from: 87_000, to: 117_000, printed: "in 1m27s-1m57s", why: "a span ahead" },
    { from: 20_000, to: 20_000, printed: "in 20s", why: "an instant ahead" },
    { from: -5_000, to: 28_000, printed: "within 28s", why: "a span that has begun" },
    { from: 0, to: 0, printed: "now", why: "this instant" },
    { from: -9_000, to: -3_000, printed: "now", why: "a span in the past" },
    { from: 1_900, to: 2_100, printed: "in 1s-3s", why: "rounded outwards, never narrower" },
  ])("prints $from to $to ms as $printed: $why", ({ from, to, printed }) => {
    expect(formatCountdown(from, to)).toBe(printed);
  });
});
