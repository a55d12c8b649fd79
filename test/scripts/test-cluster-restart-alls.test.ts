import { describe, expect, it } from "vitest";
import type { RecordedLine } from "../../scripts/recordings.ts";
import { restartAllsIn } from "../../scripts/test-cluster/restart-alls.ts";
import { podLine, recordingOf, running, START_MS, terminated } from "./made-up-recording.ts";

const RULE = { action: "RestartAllContainers", exitCodes: { operator: "In", values: [1] } };
const TRIGGER = { name: "trigger", restartPolicy: "Always", restartPolicyRules: [RULE] };
const RESTARTING = { state: { waiting: { reason: "RestartingAllContainers" } }, restartCount: 1 };

/** A line of a pod with two containers: exit code 1 of the first restarts both. */
function lineOf(arrivedAt: number, trigger: object, other: object): RecordedLine {
  const line = podLine(arrivedAt, {});
  const status = (name: string, of: object) => ({ name, restartCount: 0, ...of });
  const pod = line.object as object;
  const spec = { nodeName: "node-x", containers: [TRIGGER, { name: "other" }] };
  const containerStatuses = [status("trigger", trigger), status("other", other)];
  return { ...line, object: { ...pod, spec, status: { phase: "Running", containerStatuses } } };
}

function secondsOf(lines: readonly RecordedLine[]): number[] {
  return restartAllsIn(recordingOf(lines)).map(({ atMs }) => (atMs - START_MS) / 1000);
}

const WAITING = terminated("o", 0, 20);
const UP = lineOf(21, running("t", 0), WAITING);
const EXIT = lineOf(31, terminated("t", 0, 30), WAITING);

describe("restartAllsIn()", () => {
  it("gives the sight of the exit that restarted all containers", () => {
    const lastState = { terminated: { reason: "RestartingAllContainers", exitCode: 137 } };
    const after = { ...running("p", 33), lastState, restartCount: 1 };
    const lines = [UP, EXIT, lineOf(33, RESTARTING, RESTARTING), lineOf(34, after, after)];
    expect(secondsOf(lines)).toEqual([31]);
  });

  it("gives the restart itself, if the exit was not seen", () => {
    expect(secondsOf([UP, lineOf(33, RESTARTING, RESTARTING)])).toEqual([33]);
  });

  it.each([
    { lines: [UP, EXIT], why: "the kubelet is too old to know the rule, or has not acted yet" },
    { lines: [], why: "there is nothing" },
  ])("gives nothing where $why", ({ lines }) => {
    expect(secondsOf(lines)).toEqual([]);
  });
});
