import { describe, expect, it } from "vitest";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { HOUR_MS } from "../../src/kubelet/go-duration.ts";
import { timesAround } from "../../src/render/page/times.ts";
import { axisOf } from "../../src/render/timeline/axis.ts";
import { type Label, placeLabels } from "../../src/render/timeline/drawing.ts";
import { extentOf } from "../../src/render/timeline/extent.ts";
import { laneOf } from "../../src/render/timeline/from-explanation.ts";
import type { Clock } from "../../src/render/timeline/timeline.ts";
import { atClock } from "../support/explanations.ts";
import { longLoop, quickRestarts, watchedLoop } from "../support/long-situations.ts";
import { SITUATIONS } from "../support/situations.ts";

const BERLIN: Clock = { kind: "zone", timeZone: "Europe/Berlin" };

function extentFor({ pods, atMs: nowMs }: Explanation) {
  const times = timesAround(nowMs, "UTC");
  const lanes = (pods[0]?.containers ?? []).map((container) => laneOf(container, { nowMs, times }));
  return extentOf({ lanes, nowMs });
}

describe("extentOf()", () => {
  it.each(Object.entries(SITUATIONS))("shows at least half a minute before and after now: %s", (_, situation) => {
    const { startMs, detailFromMs, endMs } = extentFor(situation);
    expect(startMs).toBeLessThanOrEqual(situation.atMs - 30_000);
    expect(detailFromMs).toBeGreaterThanOrEqual(startMs);
    expect(detailFromMs).toBeLessThan(situation.atMs);
    expect(endMs).toBeGreaterThan(situation.atMs + 30_000);
  });

  it.each([
    { why: "the two observed runs of 500, and a quarter more", situation: longLoop(), detailMs: 650_000 },
    { why: "the last hour of 500 observed runs", situation: watchedLoop(), detailMs: HOUR_MS },
  ])("shows, of two days, in detail $why", ({ situation, detailMs }) => {
    const { startMs, detailFromMs } = extentFor(situation);
    expect(situation.atMs - startMs).toBeGreaterThan(45 * HOUR_MS);
    expect(situation.atMs - detailFromMs).toBe(detailMs);
  });

  it("shows no more than 60 runs of a lane in detail", () => {
    const situation = quickRestarts();
    expect(situation.atMs - extentFor(situation).detailFromMs).toBe(60 * 4_000);
  });
});

describe("axisOf()", () => {
  const extent = { startMs: atClock("12:00:00"), detailFromMs: atClock("12:00:00"), endMs: atClock("14:00:00") };

  it("has ticks at round times of the zone's clock, and names the day and the zone", () => {
    const axis = axisOf(extent, { kind: "zone", timeZone: "Asia/Kolkata" }, 0, 800);
    const labels = axis.ticks.map(({ label }) => label).join(" ");
    expect(labels).toBe("17:30 17:45 18:00 18:15 18:30 18:45 19:00 19:15 19:30");
    expect(axis.ticks[0]?.x).toBe(0);
    expect(axis.unit).toBe("Nov 21, GMT+5:30");
    expect(axis.clockTime(atClock("12:00:01"))).toBe("17:30:01");
  });

  it("names the day where it begins", () => {
    const night = { startMs: atClock("22:00:00"), detailFromMs: atClock("22:00:00"), endMs: atClock("23:59:59") };
    expect(axisOf(night, BERLIN, 0, 300).ticks.map(({ label }) => label)).toContain("Nov 22");
  });

  it("has seconds if ticks are closer than a minute", () => {
    const short = { ...extent, endMs: atClock("12:01:00") };
    expect(axisOf(short, BERLIN, 0, 500).ticks[1]?.label).toBe("13:00:15");
  });

  it("counts from 0 without a clock", () => {
    const axis = axisOf({ startMs: 0, detailFromMs: 0, endMs: 30 * 60_000 }, { kind: "elapsed" }, 0, 700);
    expect(axis.ticks.map(({ label }) => label)).toEqual(["0s", "5m", "10m", "15m", "20m", "25m", "30m"]);
  });

  it("compresses the time before the detailed part, and puts no tick there", () => {
    const axis = axisOf({ ...extent, startMs: atClock("00:00:00") }, BERLIN, 0, 1000);
    expect(axis.x(atClock("00:00:00"))).toBe(0);
    expect(axis.x(atClock("06:00:00"))).toBeCloseTo(80);
    expect(axis.x(atClock("12:00:00"))).toBe(160);
    expect(axis.x(atClock("13:00:00"))).toBe(580);
    expect(Math.min(...axis.ticks.map(({ x }) => x))).toBeGreaterThanOrEqual(160);
  });

  it("clamps instants outside of the extent", () => {
    const axis = axisOf(extent, BERLIN, 100, 200);
    expect([axis.x(atClock("10:00:00")), axis.x(atClock("15:00:00"))]).toEqual([100, 200]);
  });
});

describe("placeLabels()", () => {
  const label = (text: string, x: number): Label => ({ text, x, anchor: "middle", look: "", canShift: false });
  const texts = (labels: readonly Label[]) => placeLabels(labels, 10, 0, 200).map((placed) => placed.children[0]);

  it("drops a label that would touch an earlier one of the list", () => {
    expect(texts([label("first", 50), label("second", 60), label("third", 150)])).toEqual(["first", "third"]);
  });

  it("moves labels that cross an edge inside, and drops one that is wider than the picture", () => {
    const [left, right] = placeLabels([label("left", 0), label("right", 200)], 10, 0, 200);
    expect(left?.attributes).toMatchObject({ x: 0, "text-anchor": "start" });
    expect(right?.attributes).toMatchObject({ x: 200, "text-anchor": "end" });
    expect(texts([label("x".repeat(100), 100)])).toEqual([]);
  });

  it("counts wide characters twice", () => {
    expect(texts([label("データベース", 50), label("b", 95)])).toEqual(["データベース"]);
    expect(texts([label("abcdef", 50), label("b", 95)])).toEqual(["abcdef", "b"]);
  });
});
