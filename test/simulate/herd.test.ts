import { describe, expect, it } from "vitest";
import {
  HERD_RULES,
  type Herd,
  type HerdSettings,
  herdWork,
  replicaStarts,
  stampede,
} from "../../src/simulate/herd.ts";
import { seededRandom } from "../../src/simulate/seeded-random.ts";
import { finish } from "../support/simulations.ts";

const MINUTE_MS = 60_000;
const OUTAGE = { outageMs: 10 * MINUTE_MS, runMs: 5_000 };

function policyOf(name: string) {
  const rule = HERD_RULES.find((candidate) => candidate.name === name);
  if (rule === undefined) throw new Error(`There is no rule ${name}.`);
  return rule.policy;
}

function finished(settings: Partial<HerdSettings> = {}): Herd {
  return finish(stampede({ replicas: 50, runs: 4, seed: 1, ...OUTAGE, ...settings }));
}

describe("replicaStarts()", () => {
  it("waits the delay and not longer if every sync is in time: 0, 10, 20, 40 … 300 s", () => {
    // Nothing drawn: every relist, tick and sync comes at the first possible instant.
    const starts = replicaStarts({ outageMs: 15 * MINUTE_MS, runMs: 5_000 }, policyOf("v1.35+"), () => 0);
    const waits = starts.map((atMs, index) => atMs - (index === 0 ? 0 : (starts[index - 1] ?? 0) + 5_000));
    expect(waits).toEqual([0, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  });

  it("starts over when a wait outlasts the entry: after runs of more than five minutes at the cap", () => {
    const outage = { outageMs: 90 * MINUTE_MS, runMs: 330_000 };
    const starts = replicaStarts(outage, policyOf("v1.35+"), () => 0);
    const waits = starts.map((atMs, index) => atMs - (index === 0 ? 0 : (starts[index - 1] ?? 0) + 330_000));
    // The entry goes 270 s into the wait of 300 s; the sync at its end finds none, and its start makes a new one.
    expect(waits.slice(0, 9)).toEqual([0, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 10_000, 20_000]);
  });

  it.each(HERD_RULES)("keeps to $name's delays and lateness, whatever is drawn", ({ policy }) => {
    const random = seededRandom(5);
    const most = policy.retry.kind === "every-10s" ? 17_000 : 32_000;
    for (let replica = 0; replica < 200; replica++) {
      const starts = replicaStarts(OUTAGE, policy, random);
      let delayMs = 0;
      let exitMs = 0;
      for (const [index, atMs] of starts.entries()) {
        expect(atMs - exitMs).toBeGreaterThanOrEqual(delayMs);
        expect(atMs - exitMs).toBeLessThan(delayMs + most);
        expect(atMs >= OUTAGE.outageMs).toBe(index === starts.length - 1);
        delayMs = Math.min(delayMs === 0 ? policy.initialMs : delayMs * 2, policy.maxMs);
        exitMs = atMs + OUTAGE.runMs;
      }
    }
  });
});

describe("stampede()", () => {
  it("counts every replica of every run, and shares that grow to all", () => {
    for (const { upAtMs, upShares, lastMs, medianMs, startsAtMs } of finished().results) {
      expect(upAtMs).toHaveLength(200);
      expect([...upAtMs]).toEqual([...upAtMs].sort((one, other) => one - other));
      expect(upAtMs[0]).toBeGreaterThanOrEqual(0);
      expect(startsAtMs).toHaveLength(50);
      const shares = upShares.map(({ share }) => share);
      expect(shares).toEqual(shares.toSorted((one, other) => one - other));
      for (const { afterMs, share } of upShares)
        expect(share).toBe(upAtMs.filter((atMs) => atMs <= afterMs).length / 200);
      expect(medianMs).toBeLessThanOrEqual(lastMs);
    }
  });

  it("finds the most starts within a second, and the starts in vain", () => {
    const { results } = finished({ runs: 1, replicas: 80 });
    for (const { upAtMs, peakStartsPerSecond, startsAtMs, startsInVain } of results) {
      const within = [...upAtMs].map(
        (fromMs) => upAtMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + 1_000).length,
      );
      expect(peakStartsPerSecond).toBe(Math.max(...within));
      expect(startsInVain).toBeCloseTo(startsAtMs.reduce((sum, { length }) => sum + length - 1, 0) / 80, 9);
    }
  });

  it("has everyone up within a run, the wait of a minute and half a minute where that is the maximum", () => {
    const { results } = finished({ replicas: 300, runs: 20 });
    expect(results.find(({ rule }) => rule.name === "max=60s")?.upAtMs.at(-1)).toBeLessThanOrEqual(98_000);
  });

  it("gives the same for the same seed, and something else for another", () => {
    expect(finished()).toEqual(finished());
    expect(finished({ seed: 2 }).results[0]?.medianMs).not.toBe(finished().results[0]?.medianMs);
  });

  it("says how far it is", () => {
    const done = [...stampede({ replicas: 1, runs: 2, seed: 1, ...OUTAGE })].map((progress) => progress.done);
    expect(done).toEqual([0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875]);
  });
});

describe("herdWork()", () => {
  it("grows with replicas, runs and the outage", () => {
    const work = (settings: Partial<HerdSettings>) =>
      herdWork({ replicas: 10, runs: 10, seed: 1, ...OUTAGE, ...settings });
    expect(work({ replicas: 20 })).toBe(2 * work({}));
    expect(work({ runs: 30 })).toBe(3 * work({}));
    expect(work({ outageMs: 2 * OUTAGE.outageMs })).toBeGreaterThan(work({}));
  });
});
