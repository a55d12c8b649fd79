import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import type { ContainerExplanation, PodExplanation } from "../../src/explain/explanation.ts";
import type { PodObservation, PodSnapshot } from "../../src/explain/observation.ts";
import {
  aContainer,
  aNode,
  anEvent,
  aPod,
  aStatus,
  observationOf,
  running,
  T0_MS,
  terminated,
  waiting,
} from "../support/builders.ts";

const S = 1_000;
const LIVENESS = { initialDelayMs: 3 * S, periodMs: 3 * S, timeoutMs: S, failureThreshold: 3, gracePeriodMs: null };

type Seen = Partial<PodObservation> & { readonly atMs: number };

function explainPod(pod: Partial<PodSnapshot>, seen: Seen): PodExplanation {
  const [explained] = explain(observationOf(aPod(pod), seen), {}).pods;
  if (explained === undefined) throw new Error("nothing was explained");
  return explained;
}

function explainApp(pod: Partial<PodSnapshot>, seen: Seen): ContainerExplanation {
  const app = explainPod(pod, seen).containers.find(({ name }) => name === "app");
  if (app === undefined) throw new Error("no container app");
  return app;
}

/** A run of 5 s that began `gapS` after the end of one before it, and ended at T0 + 1000 s. */
function twoRuns(gapS: number, restartCount: number) {
  const endMs = T0_MS + 1_000 * S;
  const last = terminated(endMs - 5 * S, endMs, { containerID: "containerd://b" });
  const before = terminated(endMs - (10 + gapS) * S, endMs - (5 + gapS) * S, { containerID: "containerd://a" });
  const status = aStatus({ state: last, lastState: before, restartCount, containerID: "containerd://b" });
  return { pod: { statuses: [status] }, endMs };
}

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
    expect(app).toMatchObject({ state: "running", delayMs: 10 * S });
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

describe("explain(): nothing will restart", () => {
  it.each<{ why: string; pod: Partial<PodSnapshot>; state: string; verdict: string }>([
    { why: "restartPolicy Never", pod: { restartPolicy: "Never" }, state: "failed", verdict: "running" },
    { why: "the pod is being deleted", pod: { deletionAtMs: T0_MS + 9 * S }, state: "failed", verdict: "terminating" },
    { why: "the pod has failed", pod: { phase: "Failed" }, state: "failed", verdict: "failed" },
  ])("$why", ({ pod, state, verdict }) => {
    const status = aStatus({ state: terminated(T0_MS, T0_MS + 5 * S), restartCount: 3 });
    const explained = explainPod({ ...pod, statuses: [status] }, { atMs: T0_MS + 10 * S });
    expect(explained.verdict).toBe(verdict);
    expect(explained.containers[0]).toMatchObject({ state, delayMs: null, nextRestart: null, reset: null });
  });

  it("predicts nothing on a node that is not ready, and says that first", () => {
    const { pod, endMs } = twoRuns(13, 2);
    const ready = { type: "Ready", status: "Unknown", reason: null, message: null, lastTransitionAtMs: null } as const;
    const missing = [{ what: "node-config", why: "unreachable" }] as const;
    const explained = explainPod(pod, { atMs: endMs + 2 * S, node: aNode({ conditions: [ready] }), missing });
    expect(explained.gaps.map(({ code }) => code)).toEqual(["node-not-ready", "node-config-unreachable"]);
    expect(explained.containers[0]?.nextRestart).toBeNull();
  });
});

describe("explain(): what was seen too little", () => {
  it("knows no time without finishedAt", () => {
    const message = "back-off 40s restarting failed container=app pod=web_default(uid)";
    const status = aStatus({ state: waiting("CrashLoopBackOff", message), restartCount: 4 });
    const app = explainApp({ statuses: [status] }, { atMs: T0_MS + 10 * S });
    expect(app).toMatchObject({ state: "backing-off", delayMs: 40 * S, nextRestart: null });
  });

  it("assumes the newest kubelet without a node, and says so", () => {
    const { pod, endMs } = twoRuns(13, 2);
    const missing = [{ what: "node", why: "forbidden" }] as const;
    const explained = explainPod(pod, { atMs: endMs + 2 * S, node: null, kubeletConfig: null, missing });
    expect(explained.policy).toMatchObject({ kubeletVersion: null, basis: "assumed", retry: "at-expiry" });
    expect(explained.gaps[0]?.code).toBe("node-forbidden");
  });

  it("lists containers from the spec before there is any status", () => {
    const explained = explainPod({ nodeName: null, phase: "Pending", statuses: [] }, { atMs: T0_MS, node: null });
    expect(explained.verdict).toBe("pending");
    expect(explained.containers[0]).toMatchObject({
      state: "starting",
      restartCount: 0,
      reported: null,
      nextRestart: null,
    });
  });

  it("survives an absurd restartCount", () => {
    const status = aStatus({ state: terminated(T0_MS, T0_MS + 5 * S), restartCount: 1e9 });
    const app = explainApp({ statuses: [status] }, { atMs: T0_MS + 10 * S });
    expect(app).toMatchObject({ state: "backing-off", delayMs: 300 * S });
    expect(app.history.at(-1)?.start).toBe(1e9);
  });
});
