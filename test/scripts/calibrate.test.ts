import { describe, expect, it } from "vitest";
import { calibrate, complaintsAbout } from "../../scripts/calibration/calibration.ts";
import { type Figures, figuresOf } from "../../scripts/calibration/figures.ts";
import { judgementOf } from "../../scripts/calibration/judgement.ts";
import type { Moment } from "../../scripts/calibration/moments.ts";
import type { ContainerExplanation } from "../../src/explain/answer/explanation.ts";
import { explainAlways, madeUpRecording, ONE_WAIT, START_MS } from "./made-up-recording.ts";

const RECORDINGS = [madeUpRecording(ONE_WAIT)];

function calibrated(window: readonly [number, number] | null, delayMs: number | null) {
  return calibrate(RECORDINGS, [], explainAlways(window, delayMs));
}

describe("calibrate()", () => {
  it.each([
    { window: [16, 20], outcome: { inside: 4 }, why: "the start at second 18 is in the window" },
    { window: [19.5, 25], outcome: { inside: 4 }, why: "a start 1.5 s before the window still counts" },
    { window: [19.501, 25], outcome: { early: 4 }, why: "a start 1.501 s before the window does not count" },
    { window: [10, 16.5], outcome: { inside: 4 }, why: "a start 1.5 s after the window still counts" },
    { window: [10, 16.499], outcome: { late: 4 }, why: "a start 1.501 s after the window does not count" },
    { window: null, outcome: { answered: 0 }, why: "without a window, there is no answer" },
  ] as const)("of a window $window counts $outcome: $why", ({ window, outcome }) => {
    const nothing = { answered: 4, inside: 0, early: 0, late: 0 };
    expect(calibrated(window, 10_000).totals).toMatchObject({ waits: 1, moments: 4, ...nothing, ...outcome });
  });

  it("counts a start that was said to be overdue as neither answered nor late", () => {
    const said = { nextRestart: null, overdue: { expectedByMs: 0, check: "" }, delayMs: null } as unknown;
    const moment = { wait: { nextStartedAtMs: START_MS, delayMs: null } } as Moment;
    const overdue = judgementOf(moment, said as ContainerExplanation);
    expect(figuresOf([overdue])).toMatchObject({ moments: 1, answered: 0, late: 0, overdue: 1 });
  });

  it.each([
    { delayMs: 10_000, right: 4 },
    { delayMs: 20_000, right: 0 },
    { delayMs: null, right: 0 },
  ])("of a delay of $delayMs ms counts $right right answers", ({ delayMs, right }) => {
    expect(calibrated([16, 20], delayMs).totals).toMatchObject({ delayKnown: 4, delayRight: right });
  });

  it("shows the program only the objects that had arrived by then", () => {
    const seen: (string | null)[] = [];
    calibrate(RECORDINGS, [], (observation) => {
      const state = observation.pods[0]?.pod.statuses[0]?.state;
      seen.push(`${((observation.atMs - START_MS) / 1000).toFixed(1)} ${state?.kind}`);
      return explainAlways(null, null)(observation);
    });
    expect(seen).toEqual(["6.5 terminated", "9.9 terminated", "13.5 terminated", "17.1 waiting"]);
  });

  it("names the moment at which the program threw an error", () => {
    const broken = () => {
      throw new Error("broken");
    };
    expect(() => calibrate(RECORDINGS, [], broken)).toThrow("Cannot explain node-x/web at 2026-11-21T12:00:06.540Z");
  });
});

describe("the verdict", () => {
  const BASE = {
    answered: 0,
    delayKnown: 0,
    delayRight: 0,
    early: 0,
    late: 0,
    medianWindowMs: null,
    overdue: 0,
  };

  it.each([
    { waits: 50, moments: 200, inside: 180, complains: false, why: "a large scenario may miss a tenth" },
    { waits: 50, moments: 200, inside: 179, complains: true, why: "a large scenario may not miss more than a tenth" },
    { waits: 49, moments: 196, inside: 176, complains: false, why: "20 misses of 196 are within chance (p 0.0021)" },
    {
      waits: 49,
      moments: 196,
      inside: 174,
      complains: true,
      why: "22 misses of 196 are not within chance (p 0.00036)",
    },
    { waits: 1, moments: 4, inside: 2, complains: false, why: "2 misses of 4 are within chance (p 0.014)" },
    { waits: 1, moments: 4, inside: 1, complains: true, why: "3 misses of 4 are not within chance (p 0.0005)" },
  ])(
    "complains: $complains, for $inside of $moments starts inside the window in $waits waits, because $why",
    ({ complains, why: _, ...counts }) => {
      const figures: Figures = { ...BASE, ...counts };
      expect(complaintsAbout(new Map([["web", figures]]))).toHaveLength(complains ? 1 : 0);
    },
  );
});
