import { describe, expect, it } from "vitest";
import { anEvent, aStatus, running, terminated, waiting } from "../support/builders.ts";
import { at, explainApp } from "../support/explain-pod.ts";

describe("a new sandbox of the pod", () => {
  const CTRL_C = -1073741510;

  function explained({ changedS, exitCode = CTRL_C, nextS }: { changedS: number; exitCode?: number; nextS?: number }) {
    const end = terminated(at(60), at(100), { exitCode });
    const message = "Pod sandbox changed, it will be killed and re-created.";
    const event = anEvent({ ...{ reason: "SandboxChanged", message, container: null }, firstAtMs: at(changedS) });
    const isUp = nextS !== undefined;
    const state = isUp
      ? running(at(nextS))
      : waiting("CrashLoopBackOff", "back-off 40s restarting failed container=app");
    const status = aStatus({
      state,
      lastState: end,
      restartCount: 3,
      containerID: isUp ? "containerd://1" : "containerd://0",
    });
    return explainApp({ statuses: [status] }, { atMs: at(120), events: [event] });
  }

  it.each([
    { why: "after the exit", seen: { changedS: 101 }, isCause: true },
    { why: "before the exit, within the grace period", seen: { changedS: 75 }, isCause: true },
    { why: "between exit and next start", seen: { changedS: 103, nextS: 105 }, isCause: true },
    { why: "after the next start", seen: { changedS: 107, nextS: 105 }, isCause: false },
    { why: "long before the exit", seen: { changedS: 55 }, isCause: false },
    { why: "long after the exit", seen: { changedS: 115 }, isCause: false },
    { why: "after SIGTERM", seen: { changedS: 101, exitCode: 143 }, isCause: true },
    { why: "after an error of the program", seen: { changedS: 101, exitCode: 1 }, isCause: false },
  ])("$why stopped the container: $isCause", ({ seen, isCause }) => {
    const { lastExit, evidence } = explained(seen);
    expect(/^Probably the pod's sandbox stopped, and the container with it/.test(String(lastExit?.crash))).toBe(
      isCause,
    );
    expect(evidence.some(({ rule }) => rule === "new-sandbox")).toBe(isCause);
  });

  it("is found as the cause in lists, too, from the exit code", () => {
    expect(explained({ changedS: 101 }).lastExit).toMatchObject({ cause: "signal", causeBasis: "inferred" });
  });

  it("leaves the back-off as it is", () => {
    const { delayMs, state } = explained({ changedS: 101 });
    expect([state, delayMs]).toEqual(["backing-off", 40_000]);
  });
});
