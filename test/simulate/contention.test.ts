import { describe, expect, it } from "vitest";
import { STRATEGIES, type StrategyName } from "../../src/backoff/jitter-strategies.ts";
import { type Contention, type ContentionSettings, contend } from "../../src/simulate/contention.ts";
import { type ContentionCall, runContention } from "../../src/simulate/contention-run.ts";
import { seededRandom } from "../../src/simulate/seeded-random.ts";
import { finish } from "../support/simulations.ts";
import { rowsOf } from "../support/text-table.ts";

const CONDITIONS = { initialMs: 5, maxMs: 2_000, network: { meanMs: 10, sdMs: 2 } };

/**
 * Means of 1,500 runs of aws-samples/aws-arch-backoff-simulator, by the number of clients: completion in ms / number of
 * calls.
 */
const REFERENCE = rowsOf<"strategy" | "10" | "50" | "100" | "190">(`
  strategy      10            50              100               190
  none          382 / 51.1    1140 / 689.9    2027 / 2422.2     3539 / 8005.4
  exponential   3538 / 51     36528 / 624.3   63548 / 1855.3    101334 / 5164.8
  equal         733 / 42.4    4251 / 347.3    6606 / 812        9410 / 1760.1
  full          462 / 38.9    2884 / 332.5    4926 / 795.7      7413 / 1772.1
  decorrelated  438 / 37.7    2216 / 375.6    4584 / 1003.1     7899 / 2433.3
`);
const CLIENTS = [10, 50, 100, 190] as const;

function finished(settings: Partial<ContentionSettings>): Contention {
  return finish(contend({ strategies: ["none", "full"], clients: [5], runs: 3, seed: 1, ...CONDITIONS, ...settings }));
}

describe("contend()", () => {
  it("gives the original simulator's figures within 5 % in every cell, over 200 runs", { timeout: 60_000 }, () => {
    const strategies = REFERENCE.map(({ strategy }) => strategy as StrategyName);
    const { results } = finished({ strategies, clients: CLIENTS, runs: 200 });
    const references = REFERENCE.flatMap((row) => CLIENTS.map((clients) => row[clients].split(" / ").map(Number)));
    const isNear = (value: number, reference = Number.NaN) => Math.abs(value / reference - 1) <= 0.05;
    const far = results.filter(({ completionMs, calls }, index) => {
      const [referenceMs, referenceCalls] = references[index] ?? [];
      return !(isNear(completionMs, referenceMs) && isNear(calls, referenceCalls));
    });
    expect(results).toHaveLength(20);
    expect(far).toEqual([]);
  });

  it("gives the recorded figures for seed 1, and others for seed 2", () => {
    const { results } = finished({ strategies: ["decorrelated"], clients: [20], runs: 5 });
    expect(results).toEqual([RECORDED]);
    expect(finished({ strategies: ["decorrelated"], clients: [20], runs: 5, seed: 2 }).results).not.toEqual(results);
  });

  it("gives a strategy the same figures alone and among others", () => {
    const { results } = finished({ strategies: ["full"], clients: [5] });
    const more = finished({ strategies: ["none", "kubelet", "full"], clients: [7, 5, 3] }).results;
    expect(more).toContainEqual(results[0]);
  });

  it("returns the results in the order of the given strategies and numbers of clients", () => {
    const more = finished({ strategies: ["none", "kubelet", "full"], clients: [7, 5, 3] }).results;
    expect(more.map(({ strategy, clients }) => `${strategy} ${clients}`).slice(0, 4)).toEqual([
      "none 7",
      "none 5",
      "none 3",
      "kubelet 7",
    ]);
  });

  it("reports its progress, which starts at 0, never goes back and stays below 1", () => {
    const experiment = contend({ strategies: ["none", "full"], clients: [2, 9], runs: 4, seed: 1, ...CONDITIONS });
    const done: number[] = [];
    for (const progress of experiment) done.push(progress.done);
    expect(done).toHaveLength(16);
    expect(done[0]).toBe(0);
    expect(done).toEqual(done.toSorted((one, other) => one - other));
    expect(done.at(-1)).toBeLessThan(1);
  });
});

const RECORDED = { strategy: "decorrelated", clients: 20, completionMs: 838.3032182156916, calls: 96 };

describe("runContention()", () => {
  const once = (clients: number, name: StrategyName, conditions = CONDITIONS) => {
    const calls: ContentionCall[] = [];
    const run = runContention(clients, STRATEGIES[name], conditions, seededRandom(1), (call) => calls.push(call));
    return { ...run, calls, count: run.calls };
  };

  it("takes one client four messages and one call", () => {
    const exact = { ...CONDITIONS, network: { meanMs: 10, sdMs: 0 } };
    expect(once(1, "none", exact)).toMatchObject({ completionMs: 40, count: 1 });
  });

  it("sends the second of two clients through a failed write, a sleep and a whole new attempt", () => {
    const exact = { ...CONDITIONS, network: { meanMs: 10, sdMs: 0 } };
    const { calls, completionMs } = once(2, "exponential", exact);
    expect(calls).toEqual([
      { atMs: 30, client: 0, succeeded: true },
      { atMs: 30, client: 1, succeeded: false },
      // Client 1 gets its answer at 40 ms, sleeps for 10 ms, reads (a hop there and a hop back), and writes (a hop).
      { atMs: 80, client: 1, succeeded: true },
    ]);
    expect(completionMs).toBe(90);
  });

  it.each(Object.keys(STRATEGIES) as StrategyName[])("lets every client of %s succeed exactly once", (name) => {
    const { calls, count, completionMs } = once(40, name);
    const winners = calls.filter(({ succeeded }) => succeeded).map(({ client }) => client);
    expect(winners.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, client) => client));
    expect(calls).toHaveLength(count);
    expect(calls.map(({ atMs }) => atMs)).toEqual(calls.map(({ atMs }) => atMs).toSorted((one, two) => one - two));
    expect(completionMs).toBeGreaterThan(calls.at(-1)?.atMs ?? Number.NaN);
  });

  it.each(["none", "exponential"] as const)("ends for %s even if messages take no time at all", (name) => {
    const still = { ...CONDITIONS, network: { meanMs: 0, sdMs: 0 } };
    expect(once(30, name, still).count).toBeLessThanOrEqual((30 * 31) / 2);
  });
});
