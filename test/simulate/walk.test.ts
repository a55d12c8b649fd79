import { describe, expect, it } from "vitest";
import type { SimulatedRun } from "../../src/simulate/simulated-run.ts";
import type { StartChoice } from "../../src/simulate/start-choice.ts";
import { type SimulatedStart, type SimulationPlan, walk } from "../../src/simulate/walk.ts";
import { exits, kills, planOf, policyOf } from "./plans.ts";

const POLICY = policyOf("v1.37.1");

const PUNCTUAL: StartChoice = (wait, finishedMs) => ({ startedMs: wait.readyAtMs, shownFromMs: finishedMs });

function starts(plan: SimulationPlan, count: number): SimulatedStart[] {
  const visited: SimulatedStart[] = [];
  walk(plan, (start) => visited.push(start) < count);
  return visited;
}

function delays(runs: readonly SimulatedRun[], count: number): (number | undefined)[] {
  const plan = { ...planOf(POLICY, runs), startAfter: PUNCTUAL };
  return starts(plan, count).map(({ wait }) => (wait?.delayMs ?? Number.NaN) / 1_000);
}

describe("walk()", () => {
  it.each([
    {
      why: "has no delay after the first exit, and then doubles the delays up to the maximum",
      runs: exits(5),
      delays: [0, 10, 20, 40, 80, 160, 300, 300],
    },
    {
      why: "is one step behind after probe kills at 42 s, and does not wait for a delay that the run outlasts",
      runs: kills(42),
      delays: [0, 0, 0, 0, 0, 80, 160, 300, 0, 300],
    },
    {
      why: "waits for the first time for a delay of 20 s after probe kills at 12 s",
      runs: kills(12),
      delays: [0, 0, 0, 20, 40, 80, 160, 300, 0, 300],
    },
    { why: "keeps the entry after a run of exactly ten minutes", runs: exits(5, 5, 600, 5), delays: [0, 10, 20, 40] },
    { why: "loses the entry after a longer run", runs: exits(5, 5, 600.001, 5), delays: [0, 10, 0, 10] },
    {
      why: "repeats the last run, here after a run that loses the entry",
      runs: exits(700, 5),
      delays: [0, 10, 20, 40],
    },
  ])("$why", ({ runs, delays: expected }) => {
    expect(delays(runs, expected.length)).toEqual(expected);
  });

  it("ends a wait ten minutes after the last start, and goes on doubling after a start at that very instant", () => {
    const plan = { ...planOf(POLICY, exits(5, 5, 5, 5, 5, 5, 330, 5)), startAfter: PUNCTUAL };
    const [dropped, next] = starts(plan, 8).slice(6);
    expect(dropped?.wait).toMatchObject({ delayMs: 300_000 });
    expect(dropped?.nextStartedMs).toBe((dropped?.finishedMs ?? 0) + 270_000);
    expect(next?.wait?.delayMs).toBe(300_000);
  });

  it("ends when the restart policy allows no restart", () => {
    const restart = { type: "app", podPolicy: "OnFailure", containerPolicy: null, rules: [] } as const;
    const done: SimulatedRun = { ranMs: 5_000, exitCode: 0, ending: "exited" };
    const visited = starts({ ...planOf(POLICY, [...exits(5, 5), done]), restart }, 99);
    expect(visited.map(({ nextStartedMs }) => nextStartedMs === null)).toEqual([false, false, true]);
    expect(visited.at(-1)).toMatchObject({ wait: null, crashLoopBackOff: null });
  });

  it("ends when a kill finds the container in back-off, so that a later sync decides by the exit code 0", () => {
    const restart = { type: "app", podPolicy: "OnFailure", containerPolicy: null, rules: [] } as const;
    const runs = kills(12).map((run) => ({ ...run, exitCode: 0 }));
    const visited = starts({ ...planOf(POLICY, runs), restart, startAfter: PUNCTUAL }, 99);
    expect(visited.map(({ wait }) => wait?.delayMs ?? null)).toEqual([0, 0, 0, null]);
  });

  it("has no back-off if a rule restarts all containers", () => {
    const rules = [{ action: "RestartAllContainers", operator: "In", exitCodes: [1] }] as const;
    const restart = { type: "app", podPolicy: "Always", containerPolicy: null, rules } as const;
    const visited = starts({ ...planOf(POLICY, exits(5)), restart }, 50);
    expect(visited.every(({ wait, entry }) => wait === null && entry === undefined)).toBe(true);
    expect(visited).toHaveLength(50);
  });

  it("goes on from a given start and its back-off entry", () => {
    const entry = { delayMs: 80_000, lastUpdateMs: 1_000 };
    const from = { start: 7, startedMs: 1_000, entry, previousFinishedMs: 500 };
    const [first, second] = starts({ ...planOf(POLICY, exits(5)), startAfter: PUNCTUAL, from }, 2);
    expect(first).toMatchObject({ start: 7, finishedMs: 6_000, nextStartedMs: 86_000 });
    expect(second).toMatchObject({ start: 8, entry: { delayMs: 160_000, lastUpdateMs: 86_000 } });
  });
});
