import { describe, expect, it } from "vitest";
import type { PodObservation, PodSnapshot, TerminatedState } from "../../src/explain/observed/observation.ts";
import { aNode, anEvent, aStatus, running, T0_MS, terminated } from "../support/builders.ts";
import { explainApp, explainPod } from "../support/explain-pod.ts";

const S = 1_000;
const DAY_S = 86_400;

/** A pod whose run of `ranS` ended when it was `ageS` old; `gapS`: the next instance was started so much later. */
interface Exit {
  readonly ageS: number;
  readonly ranS: number;
  readonly restarts: number;
  readonly gapS?: number;
  readonly record?: Partial<TerminatedState>;
}

function exitOf({ ageS, ranS, restarts, gapS, record }: Exit) {
  const endMs = T0_MS + ageS * S;
  const last = terminated(endMs - ranS * S, endMs, { containerID: "containerd://1", ...record });
  const status =
    gapS === undefined
      ? aStatus({ state: last, restartCount: restarts, containerID: "containerd://1" })
      : aStatus({
          state: running(endMs + gapS * S),
          lastState: last,
          restartCount: restarts,
          containerID: "containerd://2",
        });
  const pod: Partial<PodSnapshot> = { statuses: [status] };
  return { pod, endMs, atMs: endMs + ((gapS ?? 0) + 1) * S };
}

function explained(exit: Exit, more: Partial<PodObservation> = {}) {
  const { pod, endMs, atMs } = exitOf(exit);
  const app = explainApp(pod, { atMs, ...more });
  const { notBeforeMs = 0, likelyByMs = 0, confidence = 0 } = app.nextRestart ?? {};
  const doubt = app.evidence.find(({ rule }) => rule === "likeliest-of-several")?.text ?? null;
  return { app, doubt, fromS: (notBeforeMs - endMs) / S, toS: (likelyByMs - endMs) / S, confidence };
}

describe("the delay of a pod that is older than its restarts take", () => {
  it.each([
    { ageS: 30 * DAY_S, ranS: 30, restarts: 15 },
    { ageS: DAY_S, ranS: 27, restarts: 13 },
    { ageS: 116 * DAY_S, ranS: 5, restarts: 257 },
  ])("is open a second after an exit: $restarts restarts in $ageS s", (exit) => {
    const { fromS, toS, confidence, doubt } = explained(exit);
    expect(fromS).toBeLessThanOrEqual(1);
    expect(toS).toBeGreaterThan(300);
    expect(confidence).toBe(0.95);
    expect(doubt).toMatch(/^most likely \w+ \(\d+%\)$/);
  });

  it.each([
    { exit: { ageS: DAY_S, ranS: 27, restarts: 14, gapS: 1 }, delayS: 10, why: "there was no back-off" },
    { exit: { ageS: DAY_S, ranS: 27, restarts: 14, gapS: 12 }, delayS: 20, why: "it waited 10s" },
    { exit: { ageS: DAY_S, ranS: 27, restarts: 14, gapS: 310 }, delayS: 300, why: "it waited 5m" },
  ])("follows from the last restart: $why", ({ exit, delayS }) => {
    expect(explained(exit).app.delayMs).toBe(delayS * S);
  });

  it("is not the maximum because of restarts that are months apart", () => {
    const statuses = [aStatus({ state: running(T0_MS + 116 * DAY_S * S), restartCount: 257 })];
    const { delayMs, evidence } = explainApp({ statuses }, { atMs: T0_MS + 116 * DAY_S * S + S });
    expect(delayMs).toBe(10 * S);
    expect(evidence.map(({ rule }) => rule)).toContain("likeliest-of-several");
  });

  it("follows from restartCount where its age fits, or a BackOff event shows that it waited", () => {
    const wait = { from: 300, confidence: 0.95, doubt: null };
    const young = explained({ ageS: 2_900, ranS: 27, restarts: 13 });
    expect({ from: young.fromS, confidence: young.confidence, doubt: young.doubt }).toEqual(wait);
    const lastAtMs = T0_MS + (DAY_S - 60) * S;
    const events = [anEvent({ count: 200, firstAtMs: lastAtMs - 3_600 * S, lastAtMs })];
    expect(explained({ ageS: DAY_S, ranS: 27, restarts: 13 }, { events }).app.delayMs).toBe(300 * S);
  });
});

describe("a gap that contradicts the default curve", () => {
  const gap = { ageS: 2_900, ranS: 27, restarts: 12, gapS: 6 };
  const reboot = { ...gap, record: { exitCode: 255, reason: "Unknown" } };
  const ready = { type: "Ready", status: "True", reason: "KubeletReady", message: null } as const;
  const back = { ...ready, lastTransitionAtMs: T0_MS + 2_903 * S };
  const isInferred = (exit: Exit, node = aNode()) => {
    const { pod, atMs } = exitOf(exit);
    const { policy } = explainPod(pod, { atMs, node, kubeletConfig: null });
    return `${policy.isInferred} ${policy.maxMs / S}`;
  };

  it.each([
    ["may be another node's policy", gap, aNode(), "true 5"],
    ["is none across a node's stop", reboot, aNode(), "false 300"],
    ["is none while the node was not ready", gap, aNode({ conditions: [back] }), "false 300"],
    ["is none with a kubelet that cannot be configured", gap, aNode({ kubeletVersion: "v1.31.4" }), "false 300"],
  ])("%s", (_, exit, node, said) => {
    expect(isInferred(exit, node)).toBe(said);
  });
});
