import type { Window } from "../answer/explanation.ts";
import type { Prediction } from "./prediction.ts";
import type { NextStart } from "./start-window.ts";

/**
 * Shifts the instants that the explanation predicts, and that of a pending kill, to the API server's clock; `skewMs` is
 * how far the node's clock is ahead. All other instants stay by the node's clock.
 */
export function byServerClock(predicted: Prediction, skewMs: number): Prediction {
  const { reset, imagePull, kill, expectedKill, podEndsAtMs } = predicted;
  return {
    ...predicted,
    ...startByServerClock(predicted, skewMs),
    reset: reset && { ...reset, atMs: reset.atMs - skewMs },
    imagePull: imagePull && { ...imagePull, nextPull: earlier(imagePull.nextPull, skewMs) },
    expectedKill: earlier(expectedKill, skewMs),
    kill: kill && { ...kill, atMs: kill.atMs - skewMs },
    podEndsAtMs: podEndsAtMs === null ? null : podEndsAtMs - skewMs,
  };
}

export function startByServerClock({ nextRestart, overdue }: NextStart, skewMs: number): NextStart {
  return {
    nextRestart: earlier(nextRestart, skewMs),
    overdue: overdue && { ...overdue, expectedByMs: overdue.expectedByMs - skewMs },
  };
}

function earlier<T extends Window>(window: T | null, skewMs: number): T | null {
  return window && { ...window, notBeforeMs: window.notBeforeMs - skewMs, likelyByMs: window.likelyByMs - skewMs };
}
