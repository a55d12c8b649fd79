import { describe, expect, it } from "vitest";
import { STEP_MS, StartDistribution } from "../../src/kubelet/start-distribution.ts";
import { S } from "../support/builders.ts";

function of(fromS: number, ...shares: number[]): StartDistribution {
  return StartDistribution.of(fromS * S, Float64Array.from(shares));
}

function sharesOf(starts: StartDistribution): number[] {
  const steps = Math.round((starts.toMs - starts.fromMs) / STEP_MS);
  return Array.from({ length: steps }, (_, step) => {
    const atMs = starts.fromMs + step * STEP_MS;
    return Number((starts.by(atMs + STEP_MS) - starts.by(atMs)).toFixed(9));
  });
}

describe("StartDistribution", () => {
  it("begins and ends where a start is possible, with a total of 1", () => {
    const starts = of(10, 0, 0, 1, 3, 0);
    expect([starts.fromMs, starts.toMs]).toEqual([11 * S, 12 * S]);
    expect(sharesOf(starts)).toEqual([0.25, 0.75]);
  });

  it.each([
    { atMs: 9_999, by: 0 },
    { atMs: 10_000, by: 0 },
    { atMs: 10_500, by: 0.25 },
    { atMs: 11_000, by: 1 },
    { atMs: 99_000, by: 1 },
  ])("by($atMs) is $by", ({ atMs, by }) => expect(of(10, 1, 3).by(atMs)).toBe(by));

  it.each([
    { share: 0.001, atMs: 10_002 },
    { share: 0.25, atMs: 10_500 },
    { share: 0.5, atMs: 10_500 + 500 / 3 },
    { share: 1, atMs: 11_000 },
  ])("quantile($share) lies at $atMs ms, evenly within a step", ({ share, atMs }) => {
    expect(of(10, 1, 3).quantile(share)).toBeCloseTo(atMs, 6);
  });

  it("evenly() reaches its end, also in the middle of a step", () => {
    expect(StartDistribution.evenly(0, 100 * S).quantile(0.95)).toBeCloseTo(95 * S, 6);
    expect(sharesOf(StartDistribution.evenly(0, 750))).toEqual([0.666666667, 0.333333333]);
    expect(StartDistribution.evenly(5 * S, 5 * S).quantile(0.95)).toBeLessThan(5.5 * S);
  });

  it("mixed() weights its parts, even if there is a gap between them", () => {
    const parts = [
      { starts: of(1, 1), weight: 3 },
      { starts: of(2, 1, 1), weight: 1 },
    ];
    expect(sharesOf(StartDistribution.mixed(parts))).toEqual([0.75, 0, 0.125, 0.125]);
  });

  it("mixed() returns a single part unchanged", () => {
    const starts = of(1, 0.1, 0.2, 0.7);
    expect(sharesOf(StartDistribution.mixed([{ starts, weight: 0.3 }]))).toEqual(sharesOf(starts));
  });

  it("later() moves every start by an offset, also to an earlier time", () => {
    expect(of(1, 1, 1).later(2 * S).fromMs).toBe(3 * S);
    expect(of(1, 1, 1).later(-0.5 * S).fromMs).toBe(0.5 * S);
  });

  it("laterBy() adds a lateness to the starts", () => {
    const half = { meanMs: STEP_MS / Math.LN2, share: 1 };
    const both = of(1, 0.5, 0.5).laterBy({ parts: [half], longestMs: 2 * STEP_MS });
    expect(both.fromMs).toBe(1 * S);
    expect(sharesOf(both)).toEqual([0.25, 0.5, 0.25]);
  });

  it("laterBy() has the probabilities of all sums of a start and a lateness", () => {
    const shares = [0.1, 0, 0, 0.4, 0.2, 0, 0.3];
    const parts = [
      { meanMs: 0, share: 0.5 },
      { meanMs: 700, share: 0.3 },
      { meanMs: 5 * S, share: 0.2 },
    ];
    const steps = 12;
    const left = (meanMs: number, step: number): number => {
      if (step === 0) return 1;
      return step >= steps || meanMs === 0 ? 0 : Math.exp((-step * STEP_MS) / meanMs);
    };
    const sums = new Array<number>(shares.length + steps - 1).fill(0);
    for (const [start, share] of shares.entries())
      for (let late = 0; late < steps; late++)
        for (const part of parts)
          sums[start + late] =
            (sums[start + late] ?? 0) + share * part.share * (left(part.meanMs, late) - left(part.meanMs, late + 1));
    const later = sharesOf(of(1, ...shares).laterBy({ parts, longestMs: steps * STEP_MS }));
    expect(later).toHaveLength(sums.length);
    for (const [step, share] of later.entries()) expect(share).toBeCloseTo(sums[step] ?? 0, 8);
  });

  it("withBoth() is the later of two starts", () => {
    expect(sharesOf(of(1, 0.5, 0.5).withBoth(of(1, 0.5, 0.5)))).toEqual([0.25, 0.75]);
    expect(of(1, 1).withBoth(of(7, 1)).fromMs).toBe(7 * S);
  });

  it("given() leaves out the starts before an instant, and is null if next to nothing is left", () => {
    const starts = of(1, 0.5, 0.25, 0.25);
    expect(starts.given(1 * S)).toBe(starts);
    const later = starts.given(1.5 * S);
    expect(later?.fromMs).toBe(1.5 * S);
    expect(later && sharesOf(later)).toEqual([0.5, 0.5]);
    expect(starts.given(2.5 * S)).toBeNull();
    expect(of(1, 1, 1e-7).given(1.5 * S)).toBeNull();
  });

  it("withEither() is the earlier of two starts", () => {
    expect(sharesOf(of(0, 1, 1).withEither(of(0, 1, 3)))).toEqual([0.625, 0.375]);
    expect(sharesOf(of(0, 1, 1).withEither(of(5, 1)))).toEqual([0.5, 0.5]);
  });

  it("firstAfter() is the first of repeated starts that comes after `ready`", () => {
    const gaps = [of(2, 1, 1), of(4, 1)];
    const gapAfter = (starts: number): StartDistribution => gaps[Math.min(starts, 1)] ?? of(4, 1);
    const starts = of(1, 1, 1);
    const ready = of(0, 1, 2, 3, 2, 1, 1);
    const expected = new Map<number, number>();
    const follow = (atMs: number, share: number, readyMs: number, starts: number): void => {
      if (readyMs < atMs) expected.set(atMs, (expected.get(atMs) ?? 0) + share);
      else
        eachOf(gapAfter(starts), (gapMs, shareOfGap) => follow(atMs + gapMs, share * shareOfGap, readyMs, starts + 1));
    };
    eachOf(starts, (atMs, share) =>
      eachOf(ready, (readyMs, shareOfReady) => follow(atMs, share * shareOfReady, readyMs, 0)),
    );
    const first = starts.firstAfter(ready, gapAfter);
    eachOf(first, (atMs, share) => expect([atMs, share]).toEqual([atMs, expect.closeTo(expected.get(atMs) ?? 0)]));
    expect([...expected.values()].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
  });

  it("firstAfter() returns the same starts if `ready` comes before all of them", () => {
    const starts = of(10, 1, 2, 1);
    expect(sharesOf(starts.firstAfter(of(0, 1), () => of(1, 1)))).toEqual(sharesOf(starts));
  });

  it("firstAfter() lets starts follow each other until `ready` has come", () => {
    const late = of(10, 1).firstAfter(of(300, 1), () => of(2, 1));
    expect([late.fromMs, late.toMs]).toEqual([302 * S, 302.5 * S]);
  });
});

function eachOf(starts: StartDistribution, visit: (atMs: number, share: number) => void): void {
  for (const [step, share] of sharesOf(starts).entries()) if (share > 0) visit(starts.fromMs + step * STEP_MS, share);
}
