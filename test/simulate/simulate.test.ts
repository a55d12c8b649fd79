import { describe, expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { MOST_STARTS, simulate } from "../../src/simulate/simulate.ts";
import { exits, kills, planOf, policyOf } from "./plans.ts";
import { statusChanges } from "./status-changes.ts";

const POLICY = policyOf("v1.37.1");

describe("simulate()", () => {
  it("keeps the starts within a length of time, or up to a number of restarts", () => {
    const inTime = simulate(planOf(POLICY, exits(10)), { forMs: 5 * MINUTE_MS });
    expect(inTime.starts.every(({ startedMs }) => startedMs <= 5 * MINUTE_MS)).toBe(true);
    expect(inTime.starts).toHaveLength(6);
    expect(simulate(planOf(POLICY, exits(10)), { restarts: 3 }).starts).toHaveLength(4);
    expect(simulate(planOf(POLICY, exits(10)), { restarts: 0 }).starts).toHaveLength(1);
  });

  it("counts the restarts within an hour, however few starts it keeps", () => {
    const little = simulate(planOf(POLICY, exits(10)), { restarts: 1 });
    const long = simulate(planOf(POLICY, exits(10)), { forMs: 120 * MINUTE_MS });
    expect(little.figures.restartsWithin).toEqual(long.figures.restartsWithin);
  });

  it("counts only the runs as available", () => {
    const { figures } = simulate(planOf(POLICY, exits(10)), { forMs: 5 * MINUTE_MS });
    expect(figures.availability).toBeCloseTo(60 / 300, 5);
    const always = simulate(planOf(POLICY, exits(7_200)), { forMs: 30 * MINUTE_MS });
    expect(always.figures).toMatchObject({ availability: 1, restarts: 0, longestWaitMs: null, shownShare: 0 });
  });

  it("divides the time into up, CrashLoopBackOff and, for less than 1 %, neither", () => {
    const { starts, figures } = simulate(planOf(POLICY, kills(42)), { forMs: 30 * MINUTE_MS });
    const changes = statusChanges(starts);
    const shownMs = changes.reduce((sum, { atMs, status }, index) => {
      const untilMs = Math.min(changes[index + 1]?.atMs ?? 30 * MINUTE_MS, 30 * MINUTE_MS);
      return status === "CrashLoopBackOff" ? sum + Math.max(0, untilMs - atMs) : sum;
    }, 0);
    expect(figures.shownShare).toBeCloseTo(shownMs / (30 * MINUTE_MS), 9);
    expect(figures.availability + figures.shownShare).toBeLessThanOrEqual(1);
    expect(figures.availability + figures.shownShare).toBeGreaterThan(0.99);
  });

  it("ends after MOST_STARTS starts, and says that it was cut", () => {
    const cut = simulate(planOf(POLICY, exits(0)), { forMs: 365 * DAY_MS });
    expect(cut.starts).toHaveLength(MOST_STARTS);
    expect(cut.isCut).toBe(true);
    expect(cut.figures.forMs).toBe(cut.starts.at(-1)?.finishedMs);
    expect(simulate(planOf(POLICY, exits(0)), { restarts: MOST_STARTS - 1 }).isCut).toBe(false);
  });

  it("never lets a delay shrink between short runs, nor a start come before its wait is over", () => {
    for (let seed = 0; seed < 50; seed++) {
      const { starts } = simulate(planOf(POLICY, exits(seed), seed), { restarts: 30 });
      for (const [index, start] of starts.entries()) {
        expect(start.nextStartedMs).toBeGreaterThanOrEqual(start.wait?.readyAtMs ?? 0);
        const before = starts[index - 1]?.wait?.delayMs ?? 0;
        expect(start.wait?.delayMs).toBeGreaterThanOrEqual(before);
        expect(start.startedMs).toBe(starts[index - 1]?.nextStartedMs ?? 0);
      }
    }
  });
});
