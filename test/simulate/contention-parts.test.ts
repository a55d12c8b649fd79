import { describe, expect, it } from "vitest";
import { CONTENDERS } from "../../src/simulate/contention.ts";
import { ContentionQueue, messageHops, naturalLogarithm } from "../../src/simulate/contention-run.ts";
import { seededRandom } from "../../src/simulate/seeded-random.ts";

describe("messageHops()", () => {
  it("has the mean, the deviation and the tails of a normal distribution", () => {
    const hop = messageHops({ meanMs: 10, sdMs: 2 }, seededRandom(1));
    const hops = Array.from({ length: 100_000 }, hop);
    const mean = hops.reduce((sum, ms) => sum + ms, 0) / hops.length;
    const variance = hops.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / hops.length;
    const share = (isIn: (deviation: number) => boolean) =>
      hops.filter((ms) => isIn((ms - 10) / 2)).length / hops.length;
    expect(mean).toBeCloseTo(10, 1);
    expect(Math.sqrt(variance)).toBeCloseTo(2, 1);
    expect(share((deviation) => Math.abs(deviation) < 1)).toBeCloseTo(0.6827, 2);
    expect(share((deviation) => deviation > 2)).toBeCloseTo(0.0228, 2);
    expect(share((deviation) => deviation < -3)).toBeGreaterThan(0.0008);
  });

  it("is never negative, and is always the mean if the deviation is 0", () => {
    const wide = messageHops({ meanMs: 1, sdMs: 50 }, seededRandom(1));
    expect(Math.min(...Array.from({ length: 10_000 }, wide))).toBeGreaterThanOrEqual(0);
    const exact = messageHops({ meanMs: 10, sdMs: 0 }, seededRandom(1));
    expect(Array.from({ length: 10 }, exact)).toEqual(Array(10).fill(10));
  });
});

describe("naturalLogarithm()", () => {
  it.each([1, 0.999, 0.5, Math.SQRT1_2, 0.1, 1e-9, 2 ** -62])("of %d is Math.log's to 14 digits", (value) => {
    const expected = Math.log(value);
    expect(Math.abs(naturalLogarithm(value) - expected)).toBeLessThanOrEqual(1e-14 * Math.max(1, Math.abs(expected)));
  });
});

describe("ContentionQueue", () => {
  it("yields events in order of time, and events of the same time in order of client", () => {
    const random = seededRandom(1);
    const expected = Array.from({ length: 500 }, (_, client) => ({ atMs: Math.floor(random() * 50), client }));
    const queue = new ContentionQueue(expected.map(({ atMs }) => atMs));
    expected.sort((one, other) => one.atMs - other.atMs || one.client - other.client);
    const taken = Array.from({ length: 500 }, () => {
      const event = { atMs: queue.firstAtMs, client: queue.firstClient };
      queue.replaceFirst(Number.POSITIVE_INFINITY);
      return event;
    });
    expect(taken).toEqual(expected);
    expect(queue.firstAtMs).toBe(Number.POSITIVE_INFINITY);
  });

  it("stays in order while events are replaced by later ones", () => {
    const random = seededRandom(2);
    const queue = new ContentionQueue(Array.from({ length: 50 }, () => random() * 10));
    let nowMs = 0;
    for (let step = 0; step < 5_000; step++) {
      expect(queue.firstAtMs).toBeGreaterThanOrEqual(nowMs);
      nowMs = queue.firstAtMs;
      queue.replaceFirst(nowMs + random() * 10);
    }
  });
});

describe("the strategy kubelet", () => {
  const sleepMs = (attempt: number, drawn: number) =>
    CONTENDERS.kubelet(attempt, 0, { initialMs: 10_000, maxMs: 300_000 }, () => drawn);

  it.each([
    { attempt: 1, drawn: 0.9, sleptMs: 0, why: "the first retry is immediate" },
    { attempt: 2, drawn: 0, sleptMs: 10_000, why: "the base, and the sync comes at its end" },
    { attempt: 2, drawn: 0.5, sleptMs: 12_500, why: "the sync comes half as late as it may" },
    { attempt: 4, drawn: 0, sleptMs: 40_000, why: "the base is doubled twice" },
    { attempt: 9, drawn: 0, sleptMs: 300_000, why: "the cap limits the sleep" },
    {
      attempt: 9,
      drawn: 0.5,
      sleptMs: 300_000,
      why: "of four syncs 75 s apart the last comes at the end of the delay",
    },
    { attempt: 9, drawn: 0.8, sleptMs: 319_200, why: "syncs at 84, 168 and 252 s, and the last one 67.2 s later" },
  ])("sleeps $sleptMs ms before attempt $attempt when it draws $drawn: $why", ({ attempt, drawn, sleptMs }) => {
    expect(sleepMs(attempt, drawn)).toBeCloseTo(sleptMs, 6);
  });
});
