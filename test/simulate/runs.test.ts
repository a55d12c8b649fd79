import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/simulate/seeded-random.ts";
import { exitingRuns, type FailingProbe, probedRuns, repeatingLast } from "../../src/simulate/simulated-run.ts";
import { S } from "../support/builders.ts";

/** The probe of the experiment on v1.19 in experiment.test.ts. */
const PROBE: FailingProbe = {
  kind: "liveness-probe",
  initialDelayMs: 3 * S,
  periodMs: 3 * S,
  failureThreshold: 3,
  graceMs: 30 * S,
  ignoresTerm: true,
  failsAfterMs: 0,
  phaseMs: null,
};

describe("exitingRuns()", () => {
  const lengths = [5, 5, 600].map((seconds) => ({ ms: seconds * S, spreadMs: 0 }));

  it("goes through the lengths and repeats the last", () => {
    const runOf = exitingRuns(lengths, 1, seededRandom(1));
    expect([0, 1, 2, 3, 99].map((start) => runOf(start).ranMs / S)).toEqual([5, 5, 600, 600, 600]);
  });

  it("chooses random lengths within the spread, about as many shorter as longer", () => {
    const runOf = exitingRuns([{ ms: 10 * S, spreadMs: 2 * S }], 1, seededRandom(1));
    const drawn = Array.from({ length: 1_000 }, (_, start) => runOf(start).ranMs / S);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(8);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(12);
    expect(drawn.filter((seconds) => seconds < 10).length).toBeGreaterThan(400);
    expect(drawn.filter((seconds) => seconds > 10).length).toBeGreaterThan(400);
  });

  it("needs at least one run to repeat", () => {
    expect(() => repeatingLast([])).toThrow("no run");
  });
});

describe("probedRuns()", () => {
  it.each([
    { why: "initialDelay + failureThreshold · period + grace", changes: {}, ranS: 42 },
    { why: "a probe right at the end of the initial delay", changes: { phaseMs: 0 }, ranS: 39 },
    { why: "the process stops on SIGTERM", changes: { ignoresTerm: false }, ranS: 12 },
    { why: "failureThreshold 1", changes: { failureThreshold: 1, ignoresTerm: false }, ranS: 6 },
    { why: "healthy for a minute", changes: { failsAfterMs: 60 * S, ignoresTerm: false }, ranS: 66 },
    { why: "healthy until just after a probe", changes: { failsAfterMs: 61 * S, ignoresTerm: false }, ranS: 69 },
  ])("$why: $ranS s", ({ changes, ranS }) => {
    expect(probedRuns({ ...PROBE, ...changes }, null, null)(0).ranMs).toBe(ranS * S);
  });

  it("chooses a random phase of the probe in each run, unless the phase is given", () => {
    const runOf = probedRuns(PROBE, null, seededRandom(3));
    const drawn = Array.from({ length: 500 }, (_, start) => runOf(start).ranMs / S);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(39);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(42);
    expect(new Set(drawn).size).toBeGreaterThan(400);
    expect(probedRuns({ ...PROBE, phaseMs: 1 * S }, null, seededRandom(3))(0).ranMs).toBe(40 * S);
  });

  it("ends with SIGKILL's code or SIGTERM's, unless another is given", () => {
    expect(probedRuns(PROBE, null, null)(0)).toMatchObject({ exitCode: 137, ending: "liveness-probe" });
    expect(probedRuns({ ...PROBE, ignoresTerm: false }, null, null)(0).exitCode).toBe(143);
    expect(probedRuns(PROBE, 0, null)(0).exitCode).toBe(0);
  });
});
