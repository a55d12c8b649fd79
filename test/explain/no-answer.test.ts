import { describe, expect, it } from "vitest";
import type { PodSnapshot } from "../../src/explain/observed/observation.ts";
import { aNode, aStatus, T0_MS, terminated, waiting } from "../support/builders.ts";
import { explainApp, explainPod, twoRuns } from "../support/explain-pod.ts";

const S = 1_000;

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

describe("explain(): a moment before what was seen", () => {
  it("says that the state then is not known", () => {
    const { pod, endMs } = twoRuns(13, 2);
    const codes = (atMs: number) => explainPod(pod, { atMs }).gaps.map(({ code }) => code);
    expect(codes(endMs - 60 * S)).toContain("asked-before-seen");
    expect(codes(endMs)).not.toContain("asked-before-seen");
  });
});
