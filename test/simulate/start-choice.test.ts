import { describe, expect, it } from "vitest";
import type { Wait } from "../../src/kubelet/do-backoff.ts";
import { seededRandom } from "../../src/simulate/seeded-random.ts";
import { simulate, startWindows } from "../../src/simulate/simulate.ts";
import { drawnStarts, typicalStarts } from "../../src/simulate/start-choice.ts";
import type { SimulatedStart } from "../../src/simulate/walk.ts";
import { S } from "../support/builders.ts";
import { exits, kills, planOf, policyOf } from "./plans.ts";

function waitOf(delayMs: number): Wait {
  return {
    countedFromMs: 0,
    delayMs,
    readyAtMs: delayMs,
    plannedAtMs: delayMs,
    isDropped: false,
    leavesEntry: false,
  };
}

describe("typicalStarts()", () => {
  /**
   * Typical seconds between the end of the delay and the restart, by the delay in seconds. Hand-set from recordings.
   */
  it.each([
    { version: "v1.37.1", late: { 10: 4, 20: 7, 40: 12, 80: 3, 160: 3, 300: 5 } },
    { version: "v1.34.4", late: { 10: 4, 20: 7, 40: 8, 80: 6, 160: 6, 300: 7 } },
  ])("gives starts within 1.5 s of the median recorded restart on $version", ({ version, late }) => {
    const { starts } = simulate(planOf(policyOf(version), exits(5)), { restarts: 7 });
    for (const { wait, nextStartedMs, finishedMs } of starts.slice(1)) {
      const delayMs = wait?.delayMs ?? 0;
      const seenMs = late[(delayMs / S) as keyof typeof late] * S;
      expect(Math.abs((nextStartedMs ?? 0) - finishedMs - delayMs - seenMs)).toBeLessThanOrEqual(1_500);
    }
  });

  it.each(["v1.34.4", "v1.37.1"])("gives starts within 1.5 s of the median of 2,001 random starts on %s", (version) => {
    const { retry } = policyOf(version);
    const [typical, drawn] = [typicalStarts(retry), drawnStarts(retry, seededRandom(1))];
    for (const wait of [0, 10 * S, 80 * S, 300 * S].map(waitOf)) {
      const draws = Array.from({ length: 2_001 }, () => drawn(wait, 0, "exited").startedMs).sort((a, b) => a - b);
      expect(Math.abs(typical(wait, 0, "exited").startedMs - (draws[1_000] ?? 0))).toBeLessThan(1_500);
    }
  });
});

describe("drawnStarts()", () => {
  it.each(["v1.34.4", "v1.37.1"])(
    "gives starts within the 95 % window in 93 to 97 % of the cases on %s, and never before the window",
    (version) => {
      const { starts } = simulate(planOf(policyOf(version), exits(5), 1), { restarts: 5_000 });
      const windows = startWindows(starts, policyOf(version).retry);
      let [inside, all] = [0, 0];
      for (const [index, { nextStartedMs }] of starts.entries()) {
        const window = windows[index] ?? null;
        if (window === null) continue;
        expect(nextStartedMs).toBeGreaterThanOrEqual(window.notBeforeMs);
        all += 1;
        if ((nextStartedMs ?? 0) <= window.likelyByMs) inside += 1;
      }
      expect(inside / all).toBeGreaterThan(0.93);
      expect(inside / all).toBeLessThan(0.97);
    },
  );

  it("gives the same starts for the same seed, and others for another", () => {
    const run = (seed: number) => simulate(planOf(policyOf("v1.37.1"), exits(5), seed), { restarts: 20 }).starts;
    expect(run(5)).toEqual(run(5));
    expect(run(5)).not.toEqual(run(6));
  });

  it("starts within 3 s without a delay, as typicalStarts() does", () => {
    const { retry } = policyOf("v1.37.1");
    for (const choice of [drawnStarts(retry, seededRandom(1)), typicalStarts(retry)]) {
      expect(choice(waitOf(0), 0, "exited").startedMs).toBeLessThan(3_000);
    }
  });
});

describe("when kubectl shows CrashLoopBackOff", () => {
  const shown = (version: string, runs: Parameters<typeof planOf>[1], delayS: number) => {
    const { starts } = simulate(planOf(policyOf(version), runs), { restarts: 12 });
    const found = starts.find(({ wait }) => wait?.delayMs === delayS * S) as SimulatedStart;
    const { crashLoopBackOff, finishedMs, nextStartedMs } = found;
    if (crashLoopBackOff !== null) expect(crashLoopBackOff.toMs).toBe(nextStartedMs);
    return crashLoopBackOff === null ? null : Math.round((crashLoopBackOff.fromMs - finishedMs) / S);
  };

  it.each([
    {
      version: "v1.37.1",
      runs: exits(5),
      delayS: 40,
      afterS: null,
      why: "a wait of up to a minute ends with the second sync",
    },
    { version: "v1.37.1", runs: exits(5), delayS: 300, afterS: 76, why: "the second sync comes after 60 to 90 s" },
    { version: "v1.34.4", runs: exits(5), delayS: 10, afterS: null, why: "a wait of 10 s is over by the second sync" },
    { version: "v1.34.4", runs: exits(5), delayS: 300, afterS: 14, why: "the second sync comes after 10 to 15 s" },
    { version: "v1.37.1", runs: kills(42), delayS: 80, afterS: 0, why: "two syncs follow a probe kill immediately" },
    {
      version: "v1.19.3",
      runs: kills(42),
      delayS: 80,
      afterS: 0,
      why: "two syncs follow a probe kill immediately, on old versions, too",
    },
  ])("is after $afterS s of a delay of $delayS s on $version: $why", ({ version, runs, delayS, afterS }) => {
    expect(shown(version, runs, delayS)).toBe(afterS);
  });

  it("is never during a wait without a delay", () => {
    const { starts } = simulate(planOf(policyOf("v1.37.1"), kills(42)), { restarts: 30 });
    const free = starts.filter(({ wait }) => wait?.delayMs === 0);
    expect(free.length).toBeGreaterThan(10);
    expect(free.filter(({ crashLoopBackOff }) => crashLoopBackOff !== null)).toEqual([]);
  });
});
