import { describe, expect, it } from "vitest";
import type { ContainerExplanation, Run } from "../../src/explain/answer/explanation.ts";
import { timesAround } from "../../src/render/page/times.ts";
import { laneOf } from "../../src/render/timeline/from-explanation.ts";
import { placeBetween, placeInferred } from "../../src/render/timeline/lane-runs.ts";
import { at, between, container, exit, runs } from "../support/explanations.ts";

const NOW = at("13:40:00");

function lane(more: Partial<ContainerExplanation>) {
  return laneOf(container(more), NOW, timesAround(NOW, "UTC"));
}

function unseen(start: number, fromMs: number, toMs: number, waitedMs: number | null = null): Run {
  const unknown = { startedAtMs: null, finishedAtMs: null, exitCode: null };
  return { start, ...unknown, waitedMs, basis: "inferred", startedBetweenMs: [fromMs, toMs] };
}

describe("placeInferred()", () => {
  it("makes all runs equally long and each wait as short as it can have been", () => {
    // Waits of at least 10 and 20 after the second and third run; 90 in all are left for the runs.
    const history = [unseen(0, 0, 90), unseen(1, 0, 90), unseen(2, 10, 100)];
    expect(placeInferred(history, 120)).toEqual([
      { start: 0, startMs: 0, endMs: 30 },
      { start: 1, startMs: 30, endMs: 60 },
      { start: 2, startMs: 70, endMs: 100 },
    ]);
  });

  it("keeps to a wait that is known", () => {
    expect(placeInferred([unseen(0, 0, 10, 40)], 100)).toEqual([{ start: 0, startMs: 0, endMs: 60 }]);
  });

  it("places every start within its bounds, and none after the first seen one", () => {
    const history = Array.from({ length: 50 }, (_, index) => unseen(index, index * 3, 1000 - (50 - index) * 3));
    for (const [index, { startMs, endMs }] of placeInferred(history, 1000).entries()) {
      const [fromMs, toMs] = history[index]?.startedBetweenMs ?? [0, 0];
      expect(startMs).toBeGreaterThanOrEqual(fromMs);
      expect(startMs).toBeLessThanOrEqual(toMs);
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      expect(endMs).toBeLessThanOrEqual(1000);
    }
  });

  it("leaves out runs of which nothing is known", () => {
    expect(placeInferred([{ ...unseen(0, 0, 1), startedBetweenMs: null }], 10)).toEqual([]);
  });
});

describe("placeBetween()", () => {
  it("spreads runs evenly over a gap", () => {
    expect(placeBetween(3, 2, 100, 200)).toEqual([
      { start: 3, startMs: 100, endMs: 150 },
      { start: 4, startMs: 150, endMs: 200 },
    ]);
  });
});

describe("laneOf()", () => {
  const DOWN = {
    state: "backing-off",
    restartCount: 1,
    delayMs: 20_000,
    lastExit: exit("13:39:50", "13:39:55"),
    history: runs(1, ["13:39:00", "13:39:30"], ["13:39:50", "13:39:55"]),
    nextRestart: between("13:40:15", "13:40:20"),
  } as const;

  it("shows runs, the waits between them, the one that goes on, and the window that ends it", () => {
    const { runs: shown, waits, next, state } = lane(DOWN);
    expect(shown.map(({ startMs, endMs, end, label }) => [startMs, endMs, end, label])).toEqual([
      [at("13:39:00"), at("13:39:30"), "failed", "exit 1"],
      [at("13:39:50"), at("13:39:55"), "failed", "exit 1"],
    ]);
    expect(waits.map(({ startMs, endMs, label, basis }) => [startMs, endMs, label, basis])).toEqual([
      [at("13:39:30"), at("13:39:50"), "20s", "seen"],
      [at("13:39:55"), at("13:40:15"), "delay 20s", "seen"],
    ]);
    expect(next).toMatchObject({ fromMs: at("13:40:15"), toMs: at("13:40:20"), label: "restart in 15s-20s" });
    expect(state).toBe("backing off, 1 restart");
  });

  it("lets a run that goes on end now", () => {
    const { runs: shown, isCalm } = lane({ history: runs(0, ["13:30:00", null]) });
    expect(shown).toMatchObject([{ startMs: at("13:30:00"), endMs: NOW, end: "goes-on", label: "" }]);
    expect(isCalm).toBe(true);
  });

  it("fills what two seen runs leave between them with runs that were not seen, and no wait that was", () => {
    const [first, last] = [DOWN.history[0] as Run, DOWN.history[1] as Run];
    const { runs: shown, waits } = lane({ ...DOWN, restartCount: 3, history: [first, { ...last, start: 3 }] });
    expect(shown.map(({ basis }) => basis)).toEqual(["seen", "inferred", "inferred", "seen"]);
    expect(waits.map(({ basis, endMs }) => [basis, endMs])).toEqual([["seen", at("13:40:15")]]);
    expect(shown[1]?.title).toMatch(/^restart 1\. Not observed/);
  });

  it("shows how long the wait would be without the reset in the middle of it", () => {
    const reset = { atMs: at("13:40:05"), how: "during-the-wait" } as const;
    const { waits } = lane({ ...DOWN, delayMs: 160_000, reset });
    expect(waits.at(-1)).toMatchObject({ endMs: at("13:40:15"), wouldEndMs: at("13:42:35"), label: "delay 2m40s" });
  });

  it("tells a success from a failure only where the container is not restarted for it", () => {
    const history = runs(0, ["13:39:00", "13:39:30"]);
    expect(lane({ state: "completed", history }).runs[0]?.end).toBe("succeeded");
    expect(lane({ ...DOWN, history }).runs[0]?.end).toBe("failed");
  });

  it("begins the wait for an image where its delay began", () => {
    const nextPull = between("13:41:00", "13:41:10");
    const imagePull = { image: "a", cause: "", delayMs: 80_000, nextPull };
    const { waits, next } = lane({ state: "starting", imagePull, nextRestart: nextPull });
    expect(waits).toMatchObject([{ startMs: at("13:39:40"), endMs: at("13:41:00"), basis: "inferred" }]);
    expect(next?.what).toBe("next pull");
  });

  it("says that a blocked container waits", () => {
    expect(lane({ state: "blocked" })).toMatchObject({ state: "waiting for setup", runs: [] });
  });
});
