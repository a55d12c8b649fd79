import { describe, expect, it } from "vitest";
import { containerStatusesOf } from "../../../src/cluster/objects/pod.ts";

const NOON = "2026-11-21T12:00:00Z";
const NOON_MS = Date.UTC(2026, 10, 21, 12);
const NEVER = { kind: "running", startedAtMs: null };

function only(status: object) {
  return containerStatusesOf({ containerStatuses: [{ name: "app", ...status }] })[0];
}

describe("containerStatusesOf()", () => {
  it("reads what the kubelet reports of a container", () => {
    const own = { restartCount: 5, containerID: "containerd://abc", image: "web:1", imageID: "sha256:def" };
    const flags = { started: false, ready: false };
    const waiting = { reason: "CrashLoopBackOff", message: "back-off 2m40s restarting failed container=app" };
    const killed = { exitCode: 137, signal: 9, reason: "OOMKilled", message: "too much" };
    const exit = { ...killed, containerID: "containerd://aaa" };
    const times = { startedAt: "2026-11-21T12:00:00Z", finishedAt: "2026-11-21T12:00:42Z" };
    const instants = { startedAtMs: Date.UTC(2026, 10, 21, 12), finishedAtMs: Date.UTC(2026, 10, 21, 12, 0, 42) };
    const status = only({ ...own, ...flags, state: { waiting }, lastState: { terminated: { ...exit, ...times } } });
    expect(status).toEqual({
      ...{ name: "app", ...own, ...flags },
      state: { kind: "waiting", ...waiting },
      lastState: { kind: "terminated", ...exit, ...instants },
    });
  });

  it.each([
    { state: {}, expected: null, why: "an empty state" },
    { state: undefined, expected: null, why: "no state field" },
    { state: [], expected: null, why: "an array" },
    { state: { running: { startedAt: NOON } }, expected: { kind: "running", startedAtMs: NOON_MS }, why: "running" },
    {
      state: { running: { startedAt: "1970-01-01T00:00:00Z" } },
      expected: NEVER,
      why: "running since 1970, a made-up time",
    },
    { state: { waiting: {} }, expected: { kind: "waiting", reason: null, message: null }, why: "waiting, no reason" },
  ])("reads the state: $why", ({ state, expected }) => {
    expect(only({ state })?.state).toEqual(expected);
  });

  it.each([
    { startedAt: "2026-11-21T12:00:01Z", startedAtMs: NOON_MS, why: "CRI-O may note a start one second late" },
    { startedAt: "2026-11-21T12:00:02Z", startedAtMs: null, why: "a start later than that is unknown" },
  ])("reads startedAt $startedAt of an instance that ended at 12:00:00: $why", ({ startedAt, startedAtMs }) => {
    const terminated = { exitCode: 1, reason: "Error", startedAt, finishedAt: NOON };
    expect(only({ state: { terminated } })?.state).toMatchObject({ startedAtMs, finishedAtMs: NOON_MS });
  });

  it.each([
    { exitCode: -1073741510, expected: -1073741510, why: "an exit status of Windows" },
    { exitCode: 3221225786, expected: -1073741510, why: "an exit status of Windows without a sign" },
    { exitCode: 4294967296, expected: 0, why: "more than 32 bits" },
    { exitCode: "1", expected: 0, why: "text" },
  ])("reads exitCode $exitCode as $expected: $why", ({ exitCode, expected }) => {
    expect(only({ state: { terminated: { exitCode } } })?.state).toMatchObject({ exitCode: expected });
  });

  it.each([
    { restartCount: -1, expected: 0, why: "negative" },
    { restartCount: "7", expected: 0, why: "text" },
    { restartCount: 1.5, expected: 0, why: "a fraction" },
    { restartCount: 1e9, expected: 1e9, why: "a very high count is possible" },
  ])("reads restartCount $restartCount as $expected: $why", ({ restartCount, expected }) => {
    expect(only({ restartCount })?.restartCount).toBe(expected);
  });

  it("lists init containers and app containers, and leaves out ephemeral containers and what has no name", () => {
    const statuses = containerStatusesOf({
      containerStatuses: [{ name: "app" }, { restartCount: 3 }, null, "app"],
      ephemeralContainerStatuses: [{ name: "debugger" }],
      initContainerStatuses: [{ name: "setup" }],
    });
    expect(statuses.map(({ name }) => name)).toEqual(["setup", "app"]);
  });
});
