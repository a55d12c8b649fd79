import { describe, expect, it } from "vitest";
import { curveOf, quantilesOf } from "../../src/explain/eta-quantiles.ts";
import { evenly, mixed, type StartShares, tabulated } from "../../src/kubelet/start-shares.ts";

const S = 1_000;

/** Starts within the second before `s` for certain. */
function sure(s: number): StartShares {
  return tabulated((s - 1) * S, s * S, () => 1);
}

/** Any second of the first hundred. */
const HUNDRED = evenly(0, 100 * S, 1);
const EITHER = mixed([
  { starts: sure(10), weight: 3 },
  { starts: sure(60), weight: 1 },
]);

/** Seconds of each quantile: as likely before as after it, and likely by. */
function secondsOf(up: number, starts: readonly StartShares[]): (readonly number[])[] {
  return quantilesOf(up, starts, 0).map(({ atMs, likelyByMs }) => [atMs / S, likelyByMs / S]);
}

const many = (count: number, starts: StartShares): StartShares[] => Array.from({ length: count }, () => starts);

/** The order statistics of `n` even starts: the k-th is a Beta(k, n + 1 - k). The figures are those of that distribution. */
describe("quantilesOf()", () => {
  it.each<[string, number, StartShares[], number[][]]>([
    [
      "nothing at all",
      0,
      [],
      [
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    ],
    [
      "only what is up",
      5,
      [],
      [
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    ],
    [
      "one that is certain",
      0,
      [sure(30)],
      [
        [30, 30],
        [30, 30],
        [30, 30],
        [30, 30],
      ],
    ],
    [
      "two of which one is up",
      1,
      [sure(30)],
      [
        [0, 0],
        [30, 30],
        [30, 30],
        [30, 30],
      ],
    ],
    [
      "ten one after the other",
      0,
      [3, 1, 2, 4, 5, 9, 8, 7, 6, 10].map(sure),
      [
        [5, 5],
        [9, 9],
        [10, 10],
        [10, 10],
      ],
    ],
    [
      "one at any second",
      0,
      [HUNDRED],
      [
        [50, 95],
        [50, 95],
        [50, 95],
        [50, 95],
      ],
    ],
    [
      "the later of two at any second: √0.5 and √0.95",
      0,
      many(2, HUNDRED),
      [
        [30, 78],
        [71, 98],
        [71, 98],
        [71, 98],
      ],
    ],
    [
      "one in four is late",
      0,
      [EITHER],
      [
        [10, 60],
        [10, 60],
        [10, 60],
        [10, 60],
      ],
    ],
    [
      "the last of ten of which one in four is late",
      0,
      many(10, EITHER),
      [
        [10, 10],
        [60, 60],
        [60, 60],
        [60, 60],
      ],
    ],
  ])("of %s", (_, up, starts, seconds) => {
    expect(secondsOf(up, starts)).toEqual(seconds);
  });

  it("of a hundred even starts is that of their Beta distributions", () => {
    // The quantiles 0.5 and 0.95 of Beta(k, 101 - k) for k = 50, 90, 95, 100, in whole seconds.
    expect(secondsOf(0, many(100, HUNDRED))).toEqual([
      [50, 58],
      [90, 94],
      [95, 98],
      [100, 100],
    ]);
  });

  it("is exact for thousands, and quick", () => {
    const beganAtMs = performance.now();
    expect(secondsOf(5_000, many(5_000, HUNDRED))).toEqual([
      [0, 0],
      [80, 81],
      [90, 91],
      [100, 100],
    ]);
    expect(performance.now() - beganAtMs).toBeLessThan(5_000);
  });
});

describe("curveOf()", () => {
  it("rises from none to all, by what each is likely to have done", () => {
    const curve = curveOf([HUNDRED, sure(100)], 0);
    expect(curve[0]).toEqual({ atMs: 0, up: 0 });
    expect(curve[100]).toEqual({ atMs: 50 * S, up: 0.5 });
    expect(curve.at(-1)).toEqual({ atMs: 100 * S, up: 2 });
  });
});
