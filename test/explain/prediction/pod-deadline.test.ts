import { describe, expect, it } from "vitest";
import { toPodSnapshot } from "../../../src/cluster/objects/pod.ts";
import { at, explainApp, statusOf } from "../../support/explain-pod.ts";

/** The container waits until second 105: for 40 s after its exit at second 65. */
const DOWN = { statuses: [statusOf({ runs: [[60, 65]], restarts: 3 })] };

describe("the end of a pod by its activeDeadlineSeconds", () => {
  it.each([
    { deadlineS: 100, podEndsAtMs: at(100), hasWindow: false, why: "it comes before the end of the wait" },
    { deadlineS: 105, podEndsAtMs: at(105), hasWindow: false, why: "it comes at the end of the wait" },
    { deadlineS: 106, podEndsAtMs: null, hasWindow: true, why: "the restart may come before it" },
  ])(
    "after $deadlineS s leaves time for a restart: $hasWindow, because $why",
    ({ deadlineS, podEndsAtMs, hasWindow }) => {
      const app = explainApp({ ...DOWN, deadlineAtMs: at(deadlineS) }, { atMs: at(70) });
      expect(app.podEndsAtMs).toBe(podEndsAtMs);
      expect(app.nextRestart !== null).toBe(hasWindow);
    },
  );

  it("counts from the start of the pod", () => {
    const pod = { metadata: { name: "web" }, spec: { activeDeadlineSeconds: 60 } };
    expect(toPodSnapshot({ ...pod, status: { startTime: "2026-11-21T12:00:00Z" } }).deadlineAtMs).toBe(
      Date.parse("2026-11-21T12:01:00Z"),
    );
    expect(toPodSnapshot(pod)).not.toHaveProperty("deadlineAtMs");
  });
});
