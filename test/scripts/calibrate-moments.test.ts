import { describe, expect, it } from "vitest";
import type { RecordedLine } from "../../lab/recordings/recordings.ts";
import { momentsOf, waitsOf } from "../../scripts/calibration/moments.ts";
import {
  exitOf,
  heldBack,
  madeUpRecording,
  ONE_WAIT,
  podLine,
  running,
  START_MS,
  terminated,
  timeOf,
} from "./made-up-recording.ts";

function waitsIn(lines: readonly RecordedLine[]) {
  return waitsOf(madeUpRecording(lines)).map(({ container, exitSeenAtMs, nextStartedAtMs, delayMs }) => ({
    name: container.name,
    from: (exitSeenAtMs - START_MS) / 1000,
    to: (nextStartedAtMs - START_MS) / 1000,
    delay: delayMs === null ? null : delayMs / 1000,
  }));
}

const EXIT_OF_A = podLine(6, terminated("a", 0, 5));

describe("waitsOf()", () => {
  it("finds the wait from the first snapshot with the exit to the next start, and the delay in the kubelet's message", () => {
    expect(waitsIn(ONE_WAIT)).toEqual([{ name: "app", from: 6, to: 18, delay: 10 }]);
  });

  it.each([
    { why: "no delay where no message was caught", lines: [EXIT_OF_A, podLine(19, running("b", 18))] },
    {
      why: "the first delay if the kubelet names two",
      lines: [
        EXIT_OF_A,
        podLine(7, heldBack("a", 0, 5, "10s")),
        podLine(8, heldBack("a", 0, 5, "20s")),
        podLine(19, running("b", 18)),
      ],
      delay: 10,
    },
    {
      why: "minutes and seconds",
      lines: [EXIT_OF_A, podLine(17, heldBack("a", 0, 5, "2m40s")), podLine(19, running("b", 18))],
      delay: 160,
    },
    {
      why: "the exit in lastState, when that is where it is first seen",
      lines: [podLine(7, heldBack("a", 0, 5, "10s")), podLine(19, running("b", 18))],
      from: 7,
      delay: 10,
    },
    {
      why: "the start in an exit record, when that instance was never seen running",
      lines: [EXIT_OF_A, podLine(25, { ...terminated("b", 18, 24), lastState: exitOf("a", timeOf(0), 5) })],
    },
    {
      why: "the start in the running state instead of the start in the exit record",
      lines: [EXIT_OF_A, podLine(19, running("b", 18)), podLine(25, terminated("b", 19, 24))],
    },
  ])("gives $why", ({ lines, from = 6, delay = null }) => {
    expect(waitsIn(lines)).toEqual([{ name: "app", from, to: 18, delay }]);
  });

  it.each([
    { why: "the wait is 3 s or less", lines: [EXIT_OF_A, podLine(10, running("b", 9))] },
    { why: "nothing started again", lines: [EXIT_OF_A] },
    { why: "the exit was never seen", lines: [podLine(1, running("a", 0)), podLine(19, running("b", 18))] },
    {
      why: "the next start is in 1970",
      lines: [EXIT_OF_A, podLine(19, { containerID: "b", state: exitOf("b", "1970-01-01T00:00:00Z", 18) })],
    },
    {
      why: "the next start is another pod's",
      lines: [EXIT_OF_A, podLine(19, running("b", 18), { uid: "uid-2" })],
    },
    {
      why: "the exit record is made up",
      lines: [podLine(6, { state: { terminated: { exitCode: 137 } } }), podLine(19, running("b", 18))],
    },
  ])("finds no wait if $why", ({ lines }) => {
    expect(waitsIn(lines)).toEqual([]);
  });

  it("counts init containers, too", () => {
    const lines = [EXIT_OF_A, podLine(19, running("b", 18))].map((line) => {
      const { status, ...pod } = line.object as { status: { containerStatuses: object[] } };
      const [first] = status.containerStatuses;
      return { ...line, object: { ...pod, status: { initContainerStatuses: [{ ...first, name: "setup" }] } } };
    });
    expect(waitsIn(lines)).toEqual([{ name: "setup", from: 6, to: 18, delay: null }]);
  });

  it.each([
    { owner: undefined, scenario: "web" },
    { owner: { kind: "ReplicaSet", name: "api-6f5fd85495" }, scenario: "api-*" },
    { owner: { kind: "StatefulSet", name: "db" }, scenario: "db-*" },
    { owner: { kind: "Job", name: "nightly-29921140" }, scenario: "nightly-*" },
    { owner: { kind: "Job", name: "import" }, scenario: "import-*" },
  ])("names the scenario $scenario", ({ owner, scenario }) => {
    const metadata = owner === undefined ? {} : { ownerReferences: [{ ...owner, controller: true }] };
    const lines = [podLine(6, terminated("a", 0, 5), metadata), podLine(19, running("b", 18), metadata)];
    expect(waitsOf(madeUpRecording(lines)).map(({ container }) => container.scenario)).toEqual([scenario]);
  });
});

describe("momentsOf()", () => {
  const [wait] = waitsOf(madeUpRecording(ONE_WAIT));
  if (wait === undefined) throw new Error("There is no wait to ask in.");

  function momentsWith(intervention: { at: number; node?: string; pod?: string | null }) {
    const { at, node = "node-x", pod = null } = intervention;
    const moments = momentsOf(wait as never, [{ atMs: START_MS + at * 1000, node, pod, what: "something" }]);
    return moments.map(({ atMs }) => Number(((atMs - START_MS) / 1000).toFixed(3)));
  }

  const ALL = [6.54, 9.9, 13.5, 17.1];

  it("asks at 2, 30, 60 and 90 % of the wait, and a little later", () => {
    const moments = momentsOf(wait, []);
    expect(moments.map(({ atMs }) => atMs - START_MS)).toEqual(ALL.map((second) => expect.closeTo(second * 1000, 3)));
  });

  it.each([
    { at: 12, kept: [13.5, 17.1], why: "a restart of the kubelet ended what was predicted before it" },
    { at: 12, pod: "web", kept: [13.5, 17.1], why: "a change of the pod ended it, too" },
    { at: 12, pod: "other", kept: ALL, why: "a change of another pod does not matter" },
    { at: 12, node: "node-y", kept: ALL, why: "a restart of another node's kubelet does not matter" },
    { at: 5, kept: ALL, why: "the program knew of a change before the wait" },
    { at: 30, kept: ALL, why: "what came after the wait did not end it" },
    { at: 18.5, kept: [], why: "a start at second 18 may have been up to a second later" },
  ])("keeps $kept after an intervention at second $at: $why", ({ kept, why: _, ...intervention }) => {
    expect(momentsWith(intervention)).toEqual(kept);
  });
});
