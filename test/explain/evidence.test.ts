import { describe, expect, it } from "vitest";
import { aStatus, T0_MS, terminated } from "../support/builders.ts";
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
});
