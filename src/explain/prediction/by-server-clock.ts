import type { Window } from "../answer/explanation.ts";
import type { Prediction } from "./prediction.ts";
import type { NextStart } from "./start-window.ts";

/**
 * `skewMs`: how far the node's clock is ahead of the API server's; negative if it is behind. Does not convert the
 * instants of past runs.
 */
export function byServerClock({ starts: _, ...predicted }: Prediction, skewMs: number): Prediction {
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
