import { describe, expect, it } from "vitest";
import { anEvent, aStatus, running, T0_MS, terminated } from "../support/builders.ts";
import { explainApp } from "../support/explain-pod.ts";

const S = 1_000;

/** Start 4 waited 80 s for start 5, which ran for nine minutes: the delays of five restarts, and a run unlike the others. */
function afterOneLongRun(restartCount: number) {
  const before = terminated(T0_MS + 100 * S, T0_MS + 101 * S, { containerID: "containerd://a" });
  const last = terminated(T0_MS + 182 * S, T0_MS + 722 * S, { containerID: "containerd://b" });
  const status = aStatus({ state: last, lastState: before, restartCount, containerID: "containerd://b" });
  return explainApp({ statuses: [status] }, { atMs: T0_MS + 723 * S });
}

describe("evidence", () => {
  it("names no earlier reset where restartCount and delay agree, however unlike the runs were", () => {
    const { delayMs, evidence } = afterOneLongRun(5);
    expect(delayMs).toBe(160 * S);
    expect(evidence.map(({ rule }) => rule)).toEqual(["status-records", "restart-count", "gap-tells-the-delay"]);
  });

  it("names one where restartCount is higher than the delay explains", () => {
    const { delayMs, evidence } = afterOneLongRun(12);
    expect(delayMs).toBe(160 * S);
    expect(evidence.map(({ rule }) => rule)).toContain("earlier-reset");
  });

  it("says of a pause that is longer than any delay what it probably was", () => {
    const before = terminated(T0_MS + 100 * S, T0_MS + 101 * S, { containerID: "containerd://a" });
    const state = running(T0_MS + 31_700 * S);
    const status = aStatus({ state, lastState: before, restartCount: 9, containerID: "containerd://b" });
    const { evidence } = explainApp({ statuses: [status] }, { atMs: T0_MS + 31_702 * S });
    expect(evidence.map(({ rule }) => rule)).toContain("gap-exceeds-all-delays");
  });

  it("counts the failures of a probe and quotes the last answer", () => {
    const failed = { reason: "Unhealthy", count: 12, firstAtMs: T0_MS, lastAtMs: T0_MS + 90 * S };
    const events = [
      anEvent({ ...failed, message: "Readiness probe failed: HTTP probe failed with statuscode: 500" }),
      anEvent({ ...failed, message: "Readiness probe failed: timeout", lastAtMs: T0_MS + 50 * S }),
    ];
    const { evidence } = explainApp({}, { atMs: T0_MS + 100 * S, events });
    expect(evidence.filter(({ rule }) => rule === "failed-probe").map(({ text }) => text)).toEqual([
      "its readiness probe failed 12 times since 2026-11-21T12:00:00Z, last at 2026-11-21T12:01:30Z: HTTP probe failed with statuscode: 500",
    ]);
  });
});
