import { beforeAll, describe, expect, it } from "vitest";
import { downsTold, ListHaul } from "../../lab/watch/list-haul.ts";
import { missedAndTwice, PodHaul } from "../../lab/watch/pod-haul.ts";
import { HOUR_MS } from "../../src/kubelet/go-duration.ts";
import { S } from "../support/builders.ts";

function growthMiB({ heapsMiB: [noon = 0, midnight = 0] }: { readonly heapsMiB: readonly number[] }): number {
  return midnight - noon;
}

describe("explain --watch for a day, with a fault every minute", () => {
  const haul = new PodHaul();
  beforeAll(() => haul.run(1));

  it("meets more than 1,400 faults of 19 kinds", () => {
    expect(haul.faults.counts.size).toBe(19);
    expect(haul.faults.total).toBeGreaterThan(1_400);
  });

  it("shows every restart, and none twice", () => {
    const { total, ...wrong } = missedAndTwice(haul.told);
    expect(total).toBeGreaterThan(200);
    expect(haul.told).toHaveLength(2);
    expect(wrong).toMatchObject({ missed: 0, twice: 0, made: 0 });
    // The program can't see the exits of one hour without the node, three hours without a connection, and four hours
    // asleep.
    expect(wrong.unseen).toBeLessThan(total / 2);
  });

  it("keeps more than 93% of its predictions, with a history that is right and limited", () => {
    const { kept, missed } = haul.predictions;
    expect(kept + missed).toBeGreaterThan(50);
    expect(kept / (kept + missed)).toBeGreaterThan(0.93);
    expect(haul.mostEarlier).toBeLessThanOrEqual(100);
    const history = haul.last?.explanation.pods[0]?.containers[0]?.history ?? [];
    const seen = history.filter(({ basis, finishedAtMs }) => basis === "observed" && finishedAtMs !== null);
    const truth = haul.told.at(-1)?.loop.runs ?? [];
    expect(seen.length).toBeGreaterThan(20);
    for (const { start, startedAtMs, finishedAtMs } of seen)
      expect(truth[start]).toEqual({ start, startedAtMs, finishedAtMs });
  });

  it("shows since when it is not connected, and the right time", () => {
    expect(haul.longestLossMs).toBeGreaterThan(2.9 * HOUR_MS);
    expect(haul.clockOffMs).toBeLessThan(3 * S);
  });

  it("sends few requests, and leaves no timer or connection behind", async () => {
    expect(haul.requests.mostPerMinute).toBeLessThanOrEqual(60);
    expect(haul.requests.total / 24).toBeLessThan(600);
    expect(haul.api.open).toBeLessThanOrEqual(3);
    expect(haul.laptop.pending).toBeLessThan(10);
    expect(growthMiB(haul)).toBeLessThan(5);
    expect(await haul.end()).toEqual({ timers: 0, watches: 0 });
  });
});

describe("list --watch of 75 pods for a day, with a fault every minute", () => {
  const haul = new ListHaul(75, 2);
  beforeAll(() => haul.run(1));

  it("shows what is down whenever it is connected", () => {
    expect(haul.compared.times).toBeGreaterThan(150);
    expect(haul.compared.different).toBe(0);
  });

  it("shows every restart that happens while it is connected, and no restart that was over before", () => {
    const { downs, knowable, missed } = downsTold(haul);
    expect(downs).toBeGreaterThan(400);
    expect(knowable).toBeGreaterThan(downs / 2);
    expect(missed).toBe(0);
    expect(haul.toldBackwards).toEqual([]);
  });

  it("holds at most two pods, sends few requests, and leaves nothing behind", async () => {
    expect(haul.mostHeld).toBeLessThanOrEqual(2);
    expect(haul.longestLossMs).toBeGreaterThan(2.9 * HOUR_MS);
    expect(haul.requests.mostPerMinute).toBeLessThanOrEqual(30);
    expect(haul.api.open).toBeLessThanOrEqual(1);
    expect(growthMiB(haul)).toBeLessThan(5);
    expect(await haul.end()).toEqual({ timers: 0, watches: 0 });
  });
});
