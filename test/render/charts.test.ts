import { describe, expect, it } from "vitest";
import { spreadLabels } from "../../src/render/charts/line-chart.ts";
import { durationScale, linearScale, logDurationScale, valuesScale } from "../../src/render/charts/scales.ts";
import { precisePercent } from "../../src/render/simulation/simulation-words.ts";
import { formatMean, formatSpan } from "../../src/render/strategies/contention-words.ts";

describe("spreadLabels()", () => {
  it.each([
    { ys: [10, 50, 90], spread: [10, 50, 90], why: "all labels have room" },
    { ys: [50, 52, 51], spread: [50, 65, 80], why: "labels at the same place move down, in order" },
    { ys: [95, 96, 97], spread: [70, 85, 100], why: "labels at the bottom move up" },
  ])("puts $ys at $spread: $why", ({ ys, spread }) => {
    const labels = ys.map((y, index) => ({ key: String(index), text: "", y }));
    expect(spreadLabels(labels, 15, 100).map(({ y }) => y)).toEqual(spread);
  });
});

describe("the scales", () => {
  it.each([
    { name: "calls", labels: linearScale(8_003, [100, 0], 5).ticks, expected: "0 2,000 4,000 6,000 8,000 10,000" },
    { name: "times", labels: logDurationScale(267, 121_000, [100, 0]).ticks, expected: "1s 10s 1m" },
    { name: "times of one size", labels: logDurationScale(20, 60, [100, 0]).ticks, expected: "30ms 100ms" },
    { name: "a span", labels: durationScale(334_000, [0, 100], 7).ticks, expected: "0 1m 2m 3m 4m 5m" },
    { name: "clients", labels: valuesScale([190, 10, 12, 100], [0, 190], 24).ticks, expected: "12 100 190" },
  ])("label $name: $expected", ({ labels, expected }) => {
    expect(labels.map(({ label }) => label).join(" ")).toBe(expected);
  });

  it("clamp values outside of the axis", () => {
    const scale = logDurationScale(100, 10_000, [0, 100]);
    expect([0, 100, 1_000, 10_000, 1e9].map(scale.at)).toEqual([0, 0, expect.closeTo(50, 9), 100, 100]);
  });
});

describe("the figures", () => {
  it.each([
    [0, "0%"],
    [0.0042, "0.42%"],
    [0.061, "6.1%"],
    [0.5, "50%"],
    [0.99999, "99.99%"],
    [1, "100%"],
  ])("write the share %d as %s", (share, text) => {
    expect(precisePercent(share)).toBe(text);
  });

  it.each([
    [0.0123, "10µs"],
    [2.345678, "2.35ms"],
    [38.42, "38.4ms"],
    [382.4, "382ms"],
    [3_538.9, "3.54s"],
    [36_528, "36.5s"],
    [101_334, "1m41s"],
  ])("write %d ms as %s", (ms, text) => {
    expect(formatSpan(ms)).toBe(text);
  });

  it("write tenths of a mean only below 100", () => {
    expect([51.08, 99.94, 99.96, 8_005.4].map(formatMean)).toEqual(["51.1", "99.9", "100", "8005"]);
  });
});
