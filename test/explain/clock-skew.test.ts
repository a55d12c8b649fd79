import { describe, expect, it } from "vitest";
import { clockSkewMs } from "../../src/explain/history/clock-skew.ts";
import { podCaseOf } from "../../src/explain/pod-case.ts";
import { byServerClock } from "../../src/explain/prediction/by-server-clock.ts";
import { predict } from "../../src/explain/prediction/prediction.ts";
import { anEvent, aPod, aStatus, observationOf, S, T0_MS, terminated, waiting } from "../support/builders.ts";
import { explainApp, explainPod } from "../support/explain-pod.ts";

function eventsLed(byS: readonly number[], count = 1) {
  return byS.map((leadS, index) => {
    const createdAtMs = T0_MS + index * 20 * S;
    return anEvent({ name: `web.${index}`, createdAtMs, count, firstAtMs: createdAtMs + leadS * S });
  });
}

describe("clockSkewMs()", () => {
  it.each([
    { leads: [], skewS: 0, why: "is 0 without events" },
    { leads: [0, -1, 1, 0], skewS: 0, why: "does not count the cutting of times to whole seconds" },
    { leads: [0, -40, 0], skewS: 0, why: "does not count a single event that was held back" },
    { leads: [7, 6], skewS: 7, why: "finds that the node is ahead" },
    { leads: [-30, -31, -30], skewS: -30, why: "finds that the node is behind" },
    { leads: [-30, -31], skewS: 0, why: "finds nothing from only two late events" },
    {
      leads: [-176, -180, -176],
      count: 4,
      skewS: 0,
      why: "ignores repeated events that the kubelet has created again",
    },
    { leads: [7, 6], count: 4, skewS: 7, why: "finds from repeated events that the node is ahead" },
  ])("$why", ({ leads, skewS, count }) => {
    const [observed] = observationOf(aPod(), { events: eventsLed(leads, count) }).pods;
    expect(observed === undefined ? null : clockSkewMs(observed)).toBe(skewS * S);
  });

  it("moves the window of the next restart to the server's time, and gives the gap clock-skew", () => {
    const message = "back-off 40s restarting failed container=app pod=web_default(uid)";
    const lastState = terminated(T0_MS + 60 * S, T0_MS + 65 * S);
    const statuses = [aStatus({ state: waiting("CrashLoopBackOff", message), lastState, restartCount: 3 })];
    const seen = { atMs: T0_MS + 10 * S, events: eventsLed([60, 60]) };
    const app = explainApp({ statuses }, seen);
    expect(app.state).toBe("backing-off");
    expect(app.nextRestart?.notBeforeMs).toBe(T0_MS + 45 * S);
    expect(explainPod({ statuses }, seen).gaps.map(({ code }) => code)).toContain("clock-skew");
  });
});

describe("byServerClock()", () => {
  it("drops the distribution of starts, which is by the node's clock", () => {
    const lastState = terminated(T0_MS + 60 * S, T0_MS + 65 * S);
    const statuses = [aStatus({ state: waiting("CrashLoopBackOff"), lastState, restartCount: 3 })];
    const { atMs, atBasis, pods } = observationOf(aPod({ statuses }), { atMs: T0_MS + 70 * S });
    const [predicted] = pods.flatMap((observed) => {
      const { context } = podCaseOf(observed, {}, { atMs, atBasis });
      return context.containers.map((container) => predict(container, context));
    });
    expect(predicted).toHaveProperty("starts");
    expect(predicted && byServerClock(predicted, 30 * S)).not.toHaveProperty("starts");
  });
});
