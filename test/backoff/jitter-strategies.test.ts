import { describe, expect, it } from "vitest";
import { STRATEGIES, type StrategyName } from "../../src/backoff/jitter-strategies.ts";
import { seededRandom } from "../../src/simulate/seeded-random.ts";

const LIMITS = { initialMs: 5, maxMs: 2_000 };
const NAMES = Object.keys(STRATEGIES) as StrategyName[];

function sleepMs(name: StrategyName, attempt: number, previousMs: number, drawn: number): number {
  return STRATEGIES[name](attempt, previousMs, LIMITS, () => drawn);
}

describe("STRATEGIES", () => {
  it.each<[StrategyName, number, number, number, number, string]>([
    ["none", 7, 0, 0.5, 0, "never sleeps"],
    ["fixed", 7, 0, 0.5, 5, "always the base"],
    ["linear", 0, 0, 0.5, 5, "base · 1"],
    ["linear", 7, 0, 0.5, 40, "base · 8"],
    ["linear", 1_000, 0, 0.5, 2_000, "the cap"],
    ["exponential", 0, 0, 0.5, 5, "base · 2^0"],
    ["exponential", 7, 0, 0.5, 640, "base · 2^7"],
    ["exponential", 9, 0, 0.5, 2_000, "2560 is more than the cap"],
    ["exponential", 100_000, 0, 0.5, 2_000, "2^100000 is infinite"],
    ["full", 7, 0, 0, 0, "may not sleep at all"],
    ["full", 7, 0, 0.25, 160, "a quarter of 640"],
    ["full", 9, 0, 0.5, 1_000, "half of the cap"],
    ["equal", 7, 0, 0, 320, "at least half of 640"],
    ["equal", 7, 0, 0.5, 480, "three quarters of 640"],
    ["equal", 9, 0, 0.5, 1_500, "three quarters of the cap"],
    ["decorrelated", 9, 5, 0, 5, "at least the base, whatever the attempt"],
    ["decorrelated", 1, 5, 0.5, 10, "half way from the base to three times the previous sleep"],
    ["decorrelated", 1, 1_900, 0.9, 2_000, "the cap"],
  ])(
    "%s, attempt %d after a sleep of %d ms, with the random number %d, sleeps %d ms: %s",
    (name, attempt, previousMs, drawn, expected) => {
      expect(sleepMs(name, attempt, previousMs, drawn)).toBeCloseTo(expected, 9);
    },
  );

  it.each(NAMES)("%s sleeps between 0 and the cap in 3,000 attempts", (name) => {
    const random = seededRandom(3, name);
    let previousMs = LIMITS.initialMs;
    for (let attempt = 0; attempt < 3_000; attempt++) {
      previousMs = STRATEGIES[name](attempt, previousMs, LIMITS, random);
      expect(previousMs).toBeGreaterThanOrEqual(0);
      expect(previousMs).toBeLessThanOrEqual(LIMITS.maxMs);
    }
  });

  it.each(NAMES)("%s draws one random number for a sleep if it has jitter, else none", (name) => {
    let drawn = 0;
    STRATEGIES[name](3, 5, LIMITS, () => {
      drawn++;
      return 0.5;
    });
    expect(drawn).toBe(["full", "equal", "decorrelated"].includes(name) ? 1 : 0);
  });
});
