import { describe, expect, it } from "vitest";
import type { ContainerExplanation, PodExplanation } from "../../src/explain/answer/explanation.ts";
import { followPredictions, NO_PREDICTIONS, type Predictions } from "../../src/explain/follow/watch-predictions.ts";
import { aStatus, running, S, T0_MS, terminated } from "../support/builders.ts";
import { explainPod } from "../support/explain-pod.ts";

const WINDOW = { notBeforeMs: T0_MS + 60 * S, likelyByMs: T0_MS + 90 * S };

function waiting(changes: Partial<ContainerExplanation> = {}): PodExplanation {
  const status = aStatus({ restartCount: 1, state: terminated(T0_MS, T0_MS + 5 * S) });
  const pod = explainPod({ statuses: [status] }, { atMs: T0_MS + 6 * S });
  return { ...pod, containers: pod.containers.map((container) => ({ ...container, nextRestart: WINDOW, ...changes })) };
}

function started(second: number): PodExplanation {
  const state = running(T0_MS + second * S);
  const lastState = terminated(T0_MS, T0_MS + 5 * S);
  const status = aStatus({ restartCount: 2, containerID: "containerd://2", state, lastState });
  return explainPod({ statuses: [status] }, { atMs: T0_MS + (second + 1) * S });
}

const predicted = (): Predictions => followPredictions(NO_PREDICTIONS, waiting(), T0_MS + 6 * S);

describe("followPredictions()", () => {
  it("keeps the first prediction of a wait, and ignores later ones", () => {
    const narrowed = waiting({ nextRestart: { ...WINDOW, notBeforeMs: T0_MS + 80 * S } });
    const { pending } = followPredictions(predicted(), narrowed, T0_MS + 80 * S);
    expect(pending).toEqual([{ container: "app", start: 2, window: WINDOW, madeAtMs: T0_MS + 6 * S }]);
  });

  it.each([
    { second: 60, offMs: 0, why: "the window's first second" },
    { second: 59, offMs: -1_000, why: "the second before it" },
    { second: 90, offMs: 0, why: "the window's last second" },
    { second: 91, offMs: 1_000, why: "the second after it" },
    { second: 20, offMs: -40_000, why: "40 s before it" },
  ])("compares a start at second $second with the window: $why", ({ second, offMs }) => {
    const { pending, recent, kept, missed } = followPredictions(predicted(), started(second), T0_MS + 200 * S);
    expect(recent).toMatchObject([{ container: "app", start: 2, startedAtMs: T0_MS + second * S, offMs }]);
    expect({ pending, kept, missed }).toEqual({ pending: [], kept: Number(offMs === 0), missed: Number(offMs !== 0) });
  });

  it("does not count a start from before its prediction", () => {
    const late = followPredictions(NO_PREDICTIONS, waiting(), T0_MS + 70 * S);
    expect(followPredictions(late, started(65), T0_MS + 71 * S)).toEqual(NO_PREDICTIONS);
  });

  it("drops a prediction whose start was missed or can no longer come", () => {
    const twoLater = { restartCount: 3, nextRestart: null, state: "running", history: [] } as const;
    expect(followPredictions(predicted(), waiting(twoLater), T0_MS + 200 * S)).toEqual(NO_PREDICTIONS);
    const failed = { state: "failed", nextRestart: null } as const;
    expect(followPredictions(predicted(), waiting(failed), T0_MS + 200 * S)).toEqual(NO_PREDICTIONS);
    expect(followPredictions(predicted(), { ...waiting(), containers: [] }, T0_MS)).toEqual(NO_PREDICTIONS);
  });

  it("keeps a prediction that is overdue", () => {
    expect(followPredictions(predicted(), waiting(), T0_MS + 900 * S).pending).toHaveLength(1);
  });

  it("predicts nothing for a container that is not down or has no window", () => {
    for (const changes of [{ nextRestart: null }, { state: "running" }, { state: "starting" }] as const) {
      expect(followPredictions(NO_PREDICTIONS, waiting(changes), T0_MS)).toEqual(NO_PREDICTIONS);
    }
  });

  it("keeps the latest 20 outcomes, and counts all", () => {
    let known: Predictions = NO_PREDICTIONS;
    for (let round = 0; round < 50; round++) {
      known = followPredictions({ ...known, pending: predicted().pending }, started(60), T0_MS + 61 * S);
    }
    expect(known.recent).toHaveLength(20);
    expect(known.kept).toBe(50);
  });
});
