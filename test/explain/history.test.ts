import { describe, expect, it } from "vitest";
import { aStatus, S, T0_MS, terminated, waiting } from "../support/builders.ts";
import { explainApp } from "../support/explain-pod.ts";

const DAY_S = 86_400;
const RESET_S = 600;
const SLACK_S = 10;

describe("history", () => {
  it("limits the times of the last starts of a pod of 20 days by the reset of the back-off", () => {
    const startS = 20 * DAY_S;
    const lastState = terminated(T0_MS + startS * S, T0_MS + (startS + 40) * S);
    const state = waiting("CrashLoopBackOff", "back-off 5m0s restarting failed container=app pod=web_default(1)");
    const { history } = explainApp(
      { statuses: [aStatus({ state, lastState, restartCount: 393 })] },
      { atMs: T0_MS + (startS + 100) * S },
    );
    const bounds = history.map(({ startedBetweenMs }) =>
      startedBetweenMs?.map((atMs) => atMs / S - T0_MS / S - startS),
    );
    expect(history).toHaveLength(394);
    expect(bounds.slice(-7)).toEqual([
      [-startS, -310],
      [5 * -(RESET_S + SLACK_S), -310],
      [4 * -(RESET_S + SLACK_S), -300],
      [3 * -(RESET_S + SLACK_S), -280],
      [2 * -(RESET_S + SLACK_S), -240],
      [-(RESET_S + SLACK_S), -160],
      undefined,
    ]);
  });
});
