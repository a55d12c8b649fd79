import { describe, expect, it } from "vitest";
import { aContainer, anEvent, aStatus, T0_MS, terminated, waiting } from "../support/builders.ts";
import { explainApp, explainPod } from "../support/explain-pod.ts";

const S = 1_000;

describe("explain(): an overdue attempt", () => {
  const failing = {
    phase: "Pending",
    statuses: [aStatus({ state: waiting("CreateContainerConfigError", "no config"), containerID: null })],
  };
  const failed = (lastAtMs: number, count: number) =>
    anEvent({ reason: "Failed", message: "Error: no config", lastAtMs, count });

  it.each([
    { why: "the kubelet tries again every 10 to 15 s", count: 3, afterS: 14, late: false },
    { why: "each attempt sends an event", count: 3, afterS: 25, late: true },
    { why: "of many it sends one in 5 minutes", count: 60, afterS: 300, late: false },
    { why: "which has not come", count: 60, afterS: 330, late: true },
  ])("$afterS s after event $count: $late, because $why", ({ count, afterS, late }) => {
    const app = explainApp(failing, { atMs: T0_MS + afterS * S, events: [failed(T0_MS, count)] });
    expect(app.overdue !== null).toBe(late);
    expect(app.nextRestart === null).toBe(late);
  });

  it("is never said without events", () => {
    expect(explainApp(failing, { atMs: T0_MS + 86_400 * S, events: [] }).overdue).toBeNull();
  });

  it("waits for the sync that a sibling in back-off plans, on v1.37", () => {
    const message = "back-off 2m40s restarting failed container=app pod=web_default(uid)";
    const state = waiting("CrashLoopBackOff", message);
    const app = aStatus({ state, lastState: terminated(T0_MS - 5 * S, T0_MS), restartCount: 5 });
    const other = { ...aContainer(), name: "other" };
    const status = { ...failing.statuses[0], name: "other" } as (typeof failing.statuses)[0];
    const pod = { containers: [aContainer(), other], statuses: [app, status] };
    const events = [{ ...failed(T0_MS, 3), container: "other" }];
    const at = (afterS: number) => explainPod(pod, { atMs: T0_MS + afterS * S, events }).containers[1];
    expect(at(80)?.overdue).toBeNull();
    expect(at(100)?.overdue).not.toBeNull();
  });
});

describe("explain(): an overdue pull", () => {
  const pod = {
    phase: "Pending",
    statuses: [aStatus({ state: waiting("ImagePullBackOff", "no such image"), containerID: null })],
  };
  const message = 'Failed to pull image "registry.example/web:1": not found';
  const failed = (count: number) => anEvent({ reason: "Failed", message, count });
  const pulling = (count: number) =>
    anEvent({
      name: "web.2",
      reason: "Pulling",
      type: "Normal",
      message: 'Pulling image "registry.example/web:1"',
      count,
    });

  it.each([
    { why: "the third pull waits 40 s", count: 3, afterS: 50, late: false },
    { why: "and may take a while to fail", count: 3, afterS: 100, late: false },
    { why: "but this is too long", count: 3, afterS: 130, late: true },
    { why: "of many events one comes in 5 minutes", count: 40, afterS: 360, late: false },
    { why: "and even that is missing", count: 40, afterS: 400, late: true },
  ])("$afterS s after pull $count: $late, because $why", ({ count, afterS, late }) => {
    const app = explainApp(pod, { atMs: T0_MS + afterS * S, events: [failed(count), pulling(count)] });
    expect(app.overdue !== null).toBe(late);
    expect(app.nextRestart === null).toBe(late);
    expect(app.imagePull?.nextPull).toEqual(app.nextRestart);
  });
});
