import { describe, expect, it } from "vitest";
import { aContainer, anEvent, aStatus, running, T0_MS, terminated, waiting } from "../support/builders.ts";
import { explainApp, twoRuns } from "../support/explain-pod.ts";

const S = 1_000;
const LIVENESS = { initialDelayMs: 3 * S, periodMs: 3 * S, timeoutMs: S, failureThreshold: 3, gracePeriodMs: null };

describe("explain(): the delay of a wait", () => {
  it.each([
    { gapS: 0, restartCount: 1, delayS: 10, why: "the first restart was immediate, so the second waits 10 s" },
    { gapS: 13, restartCount: 2, delayS: 20, why: "a gap of 13 s was a wait of 10 s" },
    { gapS: 25, restartCount: 3, delayS: 40, why: "a gap of 25 s was a wait of 20 s" },
    { gapS: 170, restartCount: 6, delayS: 300, why: "2m40s doubles to the cap of 5 minutes" },
    { gapS: 310, restartCount: 12, delayS: 300, why: "the cap holds" },
    { gapS: 1, restartCount: 9, delayS: 10, why: "an immediate restart after many: something reset the curve" },
    { gapS: 44, restartCount: 9, delayS: 80, why: "a gap of 44 s after many restarts: a reset earlier on" },
  ])("$why", ({ gapS, restartCount, delayS }) => {
    const { pod, endMs } = twoRuns(gapS, restartCount);
    const app = explainApp(pod, { atMs: endMs + 2 * S });
    expect(app).toMatchObject({ state: "backing-off", delayMs: delayS * S, delayBasis: "inferred" });
    expect(app.nextRestart?.notBeforeMs).toBe(endMs + delayS * S);
    expect(app.nextRestart?.likelyByMs).toBeLessThanOrEqual(endMs + delayS * S + 30 * S);
  });

  it("is the kubelet's own word where the message names it, whatever the gap suggests", () => {
    const message = "back-off 1m20s restarting failed container=app pod=web_default(uid)";
    const lastState = terminated(T0_MS, T0_MS + 5 * S);
    const status = aStatus({ state: waiting("CrashLoopBackOff", message), lastState, restartCount: 9 });
    const app = explainApp({ statuses: [status] }, { atMs: T0_MS + 20 * S });
    expect(app).toMatchObject({ delayMs: 80 * S, delayBasis: "observed", reported: "CrashLoopBackOff" });
    expect(app.evidence.map(({ rule }) => rule)).toContain("message-names-the-delay");
  });

  it("follows a lower maximum of the node", () => {
    const { pod, endMs } = twoRuns(65, 12);
    const kubeletConfig = { maxContainerRestartPeriodMs: 60 * S, featureGates: {}, syncFrequencyMs: 60 * S };
    expect(explainApp(pod, { atMs: endMs + 2 * S, kubeletConfig }).delayMs).toBe(60 * S);
  });

  it("is nothing after a restart of the kubelet, which its node's event tells of", () => {
    const { pod, endMs } = twoRuns(310, 12);
    const starting = anEvent({
      reason: "Starting",
      type: "Normal",
      message: "Starting kubelet.",
      container: null,
      firstAtMs: endMs + 40 * S,
    });
    const app = explainApp(pod, { atMs: endMs + 42 * S, nodeEvents: [starting] });
    expect(app).toMatchObject({ state: "restarting", delayMs: 0 });
    expect(app.nextRestart?.likelyByMs).toBeLessThan(endMs + 70 * S);
  });
});

describe("explain(): the end of an entry", () => {
  it("ends a wait early when the entry is dropped in its middle", () => {
    const finishedAtMs = T0_MS + 560 * S;
    const message = "back-off 2m40s restarting failed container=app pod=web_default(uid)";
    const lastState = terminated(T0_MS, finishedAtMs);
    const status = aStatus({ state: waiting("CrashLoopBackOff", message), lastState, restartCount: 5 });
    const app = explainApp({ statuses: [status] }, { atMs: finishedAtMs + 2 * S });
    expect(app).toMatchObject({ delayMs: 160 * S, reset: { atMs: T0_MS + 600 * S, how: "during-the-wait" } });
    expect(app.nextRestart?.notBeforeMs).toBeLessThan(finishedAtMs + 160 * S);
    expect(app.nextRestart?.notBeforeMs).toBeGreaterThanOrEqual(T0_MS + 600 * S);
  });

  it("says while it runs what the next exit waits, and when the curve starts anew", () => {
    const startedAtMs = T0_MS + 100 * S;
    const lastState = terminated(T0_MS + 80 * S, T0_MS + 87 * S, { containerID: "containerd://a" });
    const status = aStatus({ state: running(startedAtMs), lastState, restartCount: 2, containerID: "containerd://b" });
    const app = explainApp({ statuses: [status] }, { atMs: startedAtMs + 5 * S });
    expect(app).toMatchObject({ state: "running", delayMs: 20 * S, nextRestart: null });
    expect(app.reset).toEqual({ atMs: startedAtMs + 600 * S, how: "if-it-keeps-running" });
    const later = explainApp({ statuses: [status] }, { atMs: startedAtMs + 601 * S });
    expect(later).toMatchObject({ delayMs: 0, reset: null });
  });
});

describe("explain(): kills by a probe", () => {
  const containers = [aContainer({ livenessProbe: LIVENESS })];
  const killing = (firstAtMs: number, lastAtMs: number, count: number) =>
    anEvent({
      reason: "Killing",
      type: "Normal",
      message: "Container app failed liveness probe, will be restarted",
      firstAtMs,
      lastAtMs,
      count,
    });

  it("puts the curve one behind: the second restart is free too, and the entry begins with it", () => {
    const lastState = terminated(T0_MS + 41 * S, T0_MS + 80 * S, { exitCode: 137, containerID: "containerd://b" });
    const state = running(T0_MS + 80 * S);
    const status = aStatus({ state, lastState, restartCount: 2, containerID: "containerd://c" });
    const events = [killing(T0_MS + 10 * S, T0_MS + 50 * S, 2)];
    const app = explainApp({ containers, statuses: [status] }, { atMs: T0_MS + 85 * S, events });
    expect(app).toMatchObject({ state: "running", reset: { atMs: T0_MS + 680 * S } });
    expect(app.ifItExits).toEqual([
      { how: "killed-by-probe", probe: "liveness-probe", delayMs: 0, likely: true },
      { how: "exits", probe: null, delayMs: 10 * S, likely: false },
    ]);
    expect(app.lastExit).toMatchObject({ cause: "liveness-probe", causeBasis: "observed" });
  });

  it("infers the kill where its event was held back", () => {
    const lastState = terminated(T0_MS + 1_000 * S, T0_MS + 1_039 * S, { exitCode: 137 });
    const message = "back-off 5m0s restarting failed container=app pod=web_default(uid)";
    const status = aStatus({ state: waiting("CrashLoopBackOff", message), lastState, restartCount: 11 });
    const noise = anEvent({ name: "web.2", reason: "Pulled", type: "Normal", count: 30 });
    const events = [killing(T0_MS + 10 * S, T0_MS + 300 * S, 7), noise];
    const app = explainApp({ containers, statuses: [status] }, { atMs: T0_MS + 1_045 * S, events });
    expect(app.lastExit).toMatchObject({ cause: "liveness-probe", causeBasis: "inferred" });
  });

  it("does not suspect a probe that had no time to fail", () => {
    const status = aStatus({ state: terminated(T0_MS, T0_MS + 2 * S, { exitCode: 137 }) });
    const app = explainApp({ containers, statuses: [status] }, { atMs: T0_MS + 3 * S });
    expect(app.lastExit?.cause).toBe("signal");
  });
});
