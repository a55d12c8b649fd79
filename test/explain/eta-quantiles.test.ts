import { describe, expect, it } from "vitest";
import { ETA_SHARES } from "../../src/explain/answer/eta.ts";
import { curveOf, quantilesOf } from "../../src/explain/eta/quantiles.ts";
import { STEP_MS, StartDistribution } from "../../src/kubelet/start-distribution.ts";
import { S } from "../support/builders.ts";

function sure(s: number): StartDistribution {
  return StartDistribution.of(s * S - STEP_MS, Float64Array.of(1));
}

const HUNDRED = StartDistribution.evenly(0, 100 * S);
const EITHER = StartDistribution.mixed([
  { starts: sure(10), weight: 3 },
  { starts: sure(60), weight: 1 },
]);

/** Writes each quantile as "MEDIAN-LIKELY", in seconds. */
function secondsOf(up: number, starts: readonly StartDistribution[]): string {
  const quantiles = quantilesOf(up, starts, 0, ETA_SHARES);
  return quantiles.map(({ atMs, likelyByMs }) => `${atMs / S}-${likelyByMs / S}`).join(" ");
}

const TEN = [3, 1, 2, 4, 5, 9, 8, 7, 6, 10].map(sure);
const many = (count: number, starts: StartDistribution): StartDistribution[] =>
  Array.from({ length: count }, () => starts);

/** Of `n` evenly distributed starts, the k-th has the distribution Beta(k, n + 1 - k). */
describe("quantilesOf()", () => {
  it.each<{ why: string; up: number; starts: StartDistribution[]; seconds: string }>([
    { why: "no container", up: 0, starts: [], seconds: "0-0 0-0 0-0 0-0" },
    { why: "five containers that are up", up: 5, starts: [], seconds: "0-0 0-0 0-0 0-0" },
    { why: "one start that is certain", up: 0, starts: [sure(30)], seconds: "30-30 30-30 30-30 30-30" },
    {
      why: "one container that is up, and one start that is certain",
      up: 1,
      starts: [sure(30)],
      seconds: "0-0 30-30 30-30 30-30",
    },
    { why: "ten starts, one each second", up: 0, starts: TEN, seconds: "5-5 9-9 10-10 10-10" },
    { why: "one start at any of 100 seconds", up: 0, starts: [HUNDRED], seconds: "50-95 50-95 50-95 50-95" },
    {
      why: "two starts at any of 100 seconds (√0.5 and √0.95)",
      up: 0,
      starts: many(2, HUNDRED),
      seconds: "30-78 71-98 71-98 71-98",
    },
    { why: "one start that is late in one of four cases", up: 0, starts: [EITHER], seconds: "10-60 10-60 10-60 10-60" },
    {
      why: "ten starts, each late in one of four cases",
      up: 0,
      starts: many(10, EITHER),
      seconds: "10-10 60-60 60-60 60-60",
    },
    // The quantiles 0.5 and 0.95 of Beta(k, 101 - k) for k = 50, 90, 95 and 100, rounded up to whole seconds.
    {
      why: "a hundred starts, each at any of 100 seconds",
      up: 0,
      starts: many(100, HUNDRED),
      seconds: "50-58 90-94 95-98 100-100",
    },
  ])("are $seconds for $why", ({ up, starts, seconds }) => {
    expect(secondsOf(up, starts)).toBe(seconds);
  });

  it("are exact for 10,000 containers, in less than 5 s", () => {
    const beganAtMs = performance.now();
    expect(secondsOf(5_000, many(5_000, HUNDRED))).toBe("0-0 80-81 90-91 100-100");
    expect(performance.now() - beganAtMs).toBeLessThan(5_000);
  });
});

describe("curveOf()", () => {
  it("rises from 0 to all, by the probability that each container is up", () => {
    const curve = curveOf([HUNDRED, sure(100)], 0);
    expect(curve[0]).toEqual({ atMs: 0, up: 0 });
    expect(curve[100]).toEqual({ atMs: 50 * S, up: 0.5 });
    expect(curve.at(-1)).toEqual({ atMs: 100 * S, up: 2 });
  });
});
