import { describe, expect, it } from "vitest";
import type { AtBasis, PodObservation } from "../../../src/explain/observed/observation.ts";
import { aNode, anEvent, aStatus, S, T0_MS, waiting } from "../../support/builders.ts";
import { explainPod } from "../../support/explain-pod.ts";

const MESSAGE = "back-off 40s restarting failed container=app pod=web_default(7c8b7f0e)";
const failed = (lastS: number, count = 4) =>
  anEvent({
    reason: "Failed",
    message: "Error: container create failed: memory limit too low",
    count,
    firstAtMs: T0_MS,
    lastAtMs: T0_MS + lastS * S,
  });

function explained(
  atS: number,
  events: PodObservation["events"],
  { restartCount = 0, message = MESSAGE as string | null, atBasis = "server-clock" as AtBasis } = {},
) {
  const status = aStatus({ state: waiting("CrashLoopBackOff", message), containerID: null, restartCount });
  const node = aNode({ kubeletVersion: "v1.38.0" });
  const pod = explainPod({ phase: "Pending", statuses: [status] }, { atMs: T0_MS + atS * S, atBasis, events, node });
  const [app] = pod.containers;
  if (app === undefined) throw new Error("no container");
  const inS = (atMs: number | undefined): number | null => (atMs === undefined ? null : (atMs - T0_MS) / S);
  const window = [inS(app.nextRestart?.notBeforeMs), inS(app.nextRestart?.likelyByMs)];
  return { pod, app, window, overdueS: inS(app.overdue?.expectedByMs) };
}

describe("a container that backs off but has never run", () => {
  it.each([
    { atS: 90, events: [failed(80)], window: [120, 143], overdueS: null, why: "40s after the last failed attempt" },
    { atS: 125, events: [failed(80)], window: [125, 143], overdueS: null, why: "the wait is over" },
    { atS: 200, events: [failed(80)], window: [null, null], overdueS: 142, why: "the restart is overdue" },
    { atS: 90, events: [], window: [90, 151], overdueS: null, why: "no event dates the last attempt" },
    {
      atS: 90,
      events: [failed(80, 30)],
      window: [90, 151],
      overdueS: null,
      why: "the last attempt may be newer than its event",
    },
  ])("at $atS s, $why", ({ atS, events, ...expected }) => {
    const { pod, app, window, overdueS } = explained(atS, events);
    expect({ window, overdueS }).toEqual({ window: expected.window, overdueS: expected.overdueS });
    expect(app).toMatchObject({ state: "backing-off", delayMs: 40 * S, delayBasis: "observed" });
    expect(pod.verdict).toBe("start-failing");
  });

  it("says why it does not start, from the event", () => {
    const { app } = explained(90, [failed(80)]);
    expect(app.why).toBe(
      "The container has never run, because its start fails: container create failed: memory limit too low. The kubelet waits 40s after the last failed attempt.",
    );
    expect(app.obstacle).toMatchObject({ cause: "memory limit too low", repeated: { count: 4 } });
  });

  it("shows the newest of failures that client-go combined, without its remark", () => {
    const message = "(combined from similar events): Error: container create failed: no space";
    expect(explained(90, [{ ...failed(80), message }]).app.obstacle?.cause).toBe("no space");
  });

  it.each(["ErrImagePull", "ImagePullBackOff"])("does not say that its start fails with %s", (reason) => {
    const pull = { ...failed(85), message: `Error: ${reason}` };
    const { app, window } = explained(90, [failed(80), pull]);
    expect(app.why).toContain("its start fails: container create failed: memory limit too low.");
    expect(window).toEqual([120, 143]);
  });

  it("has a window without any event, and none if the status may be old or names no delay", () => {
    expect(explained(90, []).app.why).toMatch(
      /^The container has never run, because its start fails\. The kubelet waits 40s /,
    );
    expect(explained(90, [], { atBasis: "newest-input" }).window).toEqual([null, null]);
    expect(explained(90, [failed(80)], { message: null }).window).toEqual([null, null]);
  });
});

describe("a container whose exit is not on record", () => {
  it("restarts at the latest after the whole delay that its message names", () => {
    const { app, window } = explained(90, [], { restartCount: 7 });
    expect(window).toEqual([90, 151]);
    expect(app.why).toBe("The kubelet waits 40s after the last exit, whose time is unknown.");
  });
});
