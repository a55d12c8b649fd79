import { describe, expect, it } from "vitest";
import type { ContainerExplanation, Run } from "../../src/explain/answer/explanation.ts";
import { timesAround } from "../../src/render/page/times.ts";
import { laneOf } from "../../src/render/timeline/from-explanation.ts";
import { placeInferred } from "../../src/render/timeline/lane-runs.ts";
import { atClock, between, container, exit, runs } from "../support/explanations.ts";

const NOW = atClock("13:40:00");

function lane(more: Partial<ContainerExplanation>) {
  return laneOf(container(more), { nowMs: NOW, times: timesAround(NOW, "UTC") });
}

function unseen(start: number, fromMs: number, toMs: number, waitedMs: number | null = null): Run {
  const unknown = { startedAtMs: null, finishedAtMs: null, exitCode: null };
  return { start, ...unknown, waitedMs, basis: "inferred", startedBetweenMs: [fromMs, toMs] };
}

describe("placeInferred()", () => {
  it("makes all runs equally long and each wait as short as it can have been", () => {
    // The waits after the second and third run took at least 10 and 20 ms, so 90 of 120 ms are left for the three runs.
    const history = [unseen(0, 0, 90), unseen(1, 0, 90), unseen(2, 10, 100)];
    expect(placeInferred(history, 120, 1000)).toMatchObject([
      { start: 0, startMs: 0, endMs: 30 },
      { start: 1, startMs: 30, endMs: 60 },
      { start: 2, startMs: 70, endMs: 100 },
    ]);
  });

  it("makes no run longer than the longest that was observed", () => {
    expect(placeInferred([unseen(0, 0, 90), unseen(1, 60, 90)], 120, 5)).toMatchObject([
      { start: 0, startMs: 0, endMs: 5 },
      { start: 1, startMs: 75, endMs: 80 },
    ]);
  });

  it("keeps the length of a wait that is known", () => {
    expect(placeInferred([unseen(0, 0, 10, 40)], 100, 1000)).toMatchObject([{ start: 0, startMs: 0, endMs: 60 }]);
  });

  it("places every start within its possible times, and no end after the first observed start", () => {
    const history = Array.from({ length: 50 }, (_, index) => unseen(index, index * 3, 1000 - (50 - index) * 3));
    for (const [index, { startMs, endMs }] of placeInferred(history, 1000, 1000).entries()) {
      const [fromMs, toMs] = history[index]?.startedBetweenMs ?? [0, 0];
      expect(startMs).toBeGreaterThanOrEqual(fromMs);
      expect(startMs).toBeLessThanOrEqual(toMs);
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      expect(endMs).toBeLessThanOrEqual(1000);
    }
  });

  it("leaves out runs whose start may be at any time", () => {
    expect(placeInferred([{ ...unseen(0, 0, 1), startedBetweenMs: null }], 10, 1000)).toEqual([]);
  });
});

const DOWN = {
  state: "backing-off",
  restartCount: 1,
  delayMs: 20_000,
  lastExit: exit("13:39:50", "13:39:55"),
  history: runs(1, ["13:39:00", "13:39:30"], ["13:39:50", "13:39:55"]),
  nextRestart: between("13:40:15", "13:40:20"),
} as const;

describe("laneOf()", () => {
  it("fills the gap between two observed runs with inferred runs, and shows no observed wait there", () => {
    const [first, last] = [DOWN.history[0] as Run, DOWN.history[1] as Run];
    const { runs: shown, waits } = lane({ ...DOWN, restartCount: 3, history: [first, { ...last, start: 3 }] });
    expect(shown.map(({ basis }) => basis)).toEqual(["observed", "inferred", "inferred", "observed"]);
    expect(waits.map(({ basis, endMs }) => [basis, endMs])).toEqual([["observed", atClock("13:40:15")]]);
    expect(shown[1]?.title).toMatch(/^restart 1\. Not observed/);
  });

  it("distinguishes success and failure only if the kubelet does not restart the container", () => {
    const history = runs(0, ["13:39:00", "13:39:30"]);
    expect(lane({ state: "completed", history }).runs[0]?.end).toBe("succeeded");
    expect(lane({ ...DOWN, history }).runs[0]?.end).toBe("failed");
  });

  it("shows the first and the newest failed attempt to create a container, and why they failed", () => {
    const event = { regarding: "Pod", reason: "Failed", container: "app" } as const;
    const missing = { ...event, message: 'Error: configmap "absent" not found', count: 50 };
    const events = [
      { ...missing, firstAtMs: atClock("13:30:00"), lastAtMs: atClock("13:39:00") },
      { ...missing, container: "other", firstAtMs: atClock("13:20:00"), lastAtMs: atClock("13:39:30") },
    ];
    const moment = { nowMs: NOW, times: timesAround(NOW, "UTC") };
    const starting = laneOf(container({ state: "starting" }), moment, events);
    expect(starting).toMatchObject({
      attempts: { firstAtMs: atClock("13:30:00"), newestAtMs: atClock("13:39:00"), label: "50 failed attempts" },
      remark: 'configmap "absent" not found',
    });
    expect(laneOf(container(DOWN), moment, events)).toMatchObject({ attempts: null, remark: "" });
  });
});
