import { describe, expect, it } from "vitest";
import { DAY_MS, formatBriefDuration, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/kubelet/go-duration.ts";
import { formatCountdown, formatElapsed } from "../../src/render/page/durations.ts";

const YEAR = 365 * DAY_MS;

describe("formatElapsed()", () => {
  /**
   * Most rows are from TestHumanDurationBoundaries (k8s.io/apimachinery v0.37.1, pkg/util/duration/duration_test.go).
   * Unlike there, the second minute is printed in minutes and seconds.
   */
  it.each([
    [-2 * SECOND_MS, "<invalid>"],
    [-2 * SECOND_MS + 1, "0s"],
    [SECOND_MS - 1, "0s"],
    [SECOND_MS, "1s"],
    [MINUTE_MS - 1, "59s"],
    [MINUTE_MS, "1m"],
    [70 * SECOND_MS, "1m10s"],
    [2 * MINUTE_MS - 1, "1m59s"],
    [2 * MINUTE_MS, "2m"],
    [2 * MINUTE_MS + SECOND_MS, "2m1s"],
    [190 * SECOND_MS, "3m10s"],
    [10 * MINUTE_MS - 1, "9m59s"],
    [10 * MINUTE_MS + SECOND_MS, "10m"],
    [3 * HOUR_MS - 1, "179m"],
    [3 * HOUR_MS, "3h"],
    [3 * HOUR_MS + MINUTE_MS, "3h1m"],
    [8 * HOUR_MS - 1, "7h59m"],
    [8 * HOUR_MS + 59 * MINUTE_MS, "8h"],
    [2 * DAY_MS - 1, "47h"],
    [2 * DAY_MS, "2d"],
    [2 * DAY_MS + HOUR_MS, "2d1h"],
    [8 * DAY_MS - 1, "7d23h"],
    [8 * DAY_MS + 23 * HOUR_MS, "8d"],
    [2 * YEAR - 1, "729d"],
    [2 * YEAR, "2y"],
    [2 * YEAR + DAY_MS - 1, "2y"],
    [2 * YEAR + DAY_MS, "2y1d"],
    [8 * YEAR - 1, "7y364d"],
    [8 * YEAR + 364 * DAY_MS, "8y"],
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
