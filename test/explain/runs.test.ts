import { describe, expect, it } from "vitest";
import { observedRuns, pulledForMs } from "../../src/explain/history/runs.ts";
import { anEvent, aPod, aStatus, madeUpRecord, running, S, T0_MS, terminated, waiting } from "../support/builders.ts";

const A = terminated(T0_MS, T0_MS + 5 * S, { containerID: "containerd://a" });
const B = terminated(T0_MS + 20 * S, T0_MS + 25 * S, { containerID: "containerd://b" });

function starts(status: Parameters<typeof aStatus>[0]) {
  return observedRuns("app", [aPod({ statuses: [aStatus(status)] })]).map(
    ({ start, containerID }) => `${start} ${containerID?.at(-1) ?? "-"}`,
  );
}

describe("observedRuns()", () => {
  it.each([
    {
      why: "returns a run and the run before it",
      status: { state: B, lastState: A, restartCount: 1, containerID: "containerd://b" },
      runs: ["0 a", "1 b"],
    },
    {
      why: "returns the last exit and the run that goes on",
      status: { state: running(T0_MS + 30 * S), lastState: B, restartCount: 2, containerID: "containerd://c" },
      runs: ["1 b", "2 c"],
    },
    {
      why: "returns both runs if the new run has the containerID of the last exit",
      status: { state: running(T0_MS + 30 * S), lastState: B, restartCount: 2, containerID: "containerd://b" },
      runs: ["1 b", "2 -"],
    },
    {
      why: "it waits, and lastState is the instance that restartCount counts",
      status: { state: waiting("CrashLoopBackOff"), lastState: B, restartCount: 1, containerID: "containerd://b" },
      runs: ["1 b"],
    },
    {
      why: "one run in state and lastState (since v1.36)",
      status: { state: B, lastState: B, restartCount: 1, containerID: "containerd://b" },
      runs: ["1 b"],
    },
    {
      why: "a made-up record is no run",
      status: {
        state: running(T0_MS),
        lastState: madeUpRecord("RestartingAllContainers"),
        restartCount: 4,
        containerID: "containerd://z",
      },
      runs: ["4 z"],
    },
    {
      why: "no lastState although it restarted (v1.34 and older)",
      status: { state: B, lastState: null, restartCount: 3, containerID: "containerd://b" },
      runs: ["3 b"],
    },
    { why: "it has not run yet", status: { state: waiting("ContainerCreating"), containerID: null }, runs: [] },
  ])("$why", ({ status, runs }) => {
    expect(starts(status)).toEqual(runs);
  });

  it("joins several versions of the pod by containerID", () => {
    const first = aPod({ statuses: [aStatus({ state: running(T0_MS), containerID: "containerd://a" })] });
    const second = aPod({
      statuses: [aStatus({ state: B, lastState: A, restartCount: 1, containerID: "containerd://b" })],
    });
    const runs = observedRuns("app", [first, second]);
    expect(runs.map(({ start, finishedAtMs }) => [start, finishedAtMs])).toEqual([
      [0, T0_MS + 5 * S],
      [1, T0_MS + 25 * S],
    ]);
  });

  it("joins a run that still has the containerID of the last exit with its own exit", () => {
    const up = { state: running(B.startedAtMs), lastState: A, restartCount: 1, containerID: A.containerID };
    const ended = { state: B, lastState: A, restartCount: 1, containerID: B.containerID };
    const runs = observedRuns("app", [aPod({ statuses: [aStatus(up)] }), aPod({ statuses: [aStatus(ended)] })]);
    expect(runs.map(({ start, finishedAtMs }) => [start, finishedAtMs])).toEqual([
      [0, A.finishedAtMs],
      [1, B.finishedAtMs],
    ]);
  });

  it("puts a run without a known end before later runs", () => {
    const up = (id: string, restartCount: number, startedAtMs: number) =>
      aPod({ statuses: [aStatus({ state: running(startedAtMs), containerID: `containerd://${id}`, restartCount })] });
    const runs = observedRuns("app", [up("a", 4, T0_MS), up("b", 9, T0_MS + 600 * S), up("c", 11, T0_MS + 900 * S)]);
    expect(runs.map(({ start }) => start)).toEqual([4, 9, 11]);
  });
});

describe("pulledForMs()", () => {
  const [first, second] = observedRuns("app", [
    aPod({ statuses: [aStatus({ state: B, lastState: A, restartCount: 1 })] }),
  ]);
  const pulled = (atS: number, took: string) => {
    const message = `Successfully pulled image "web:1" in 1s (${took} including waiting). Image size: 9 bytes.`;
    return anEvent({ reason: "Pulled", type: "Normal", message, firstAtMs: T0_MS + atS * S });
  };

  it.each([
    { why: "returns whole seconds", events: [pulled(19, "9.9s")], expected: 9 },
    { why: "takes the newest pull before the start", events: [pulled(15, "4s"), pulled(19, "9s")], expected: 9 },
    { why: "leaves out a pull that began before the last exit", events: [pulled(19, "16s")], expected: 0 },
    { why: "leaves out a pull that ended long before the start", events: [pulled(9, "1s")], expected: 0 },
    { why: "leaves out a pull after the start", events: [pulled(21, "1s")], expected: 0 },
    { why: "returns 0 without events", events: [], expected: 0 },
  ])("$why", ({ events, expected }) => {
    expect(second && pulledForMs(second, first, events)).toBe(expected * S);
  });
});
