import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { interventions, loadRecordingFolder } from "../../scripts/recordings.ts";
import { restartsSince } from "../../scripts/test-cluster/kubelet-restart.ts";
import { plannedPods } from "../../scripts/test-cluster/manifest.ts";
import { Recorder } from "../../scripts/test-cluster/recorder.ts";
import { saveRecordings } from "../../scripts/test-cluster/save-recordings.ts";
import { podLine, running, START_MS, timeOf } from "./made-up-recording.ts";

const NODES = [{ name: "node-x", nodeRaw: { metadata: { name: "node-x" } }, configzRaw: { kubeletconfig: {} } }];
const PODS = plannedPods([{ name: "web", spec: {} }], ["node-x"]);

function podOfVersion(resourceVersion: string): object {
  return podLine(0, running("a", 0), { name: "web-node-x", resourceVersion }).object as object;
}

function eventOf(kind: string, name: string, more: object = {}): object {
  return { metadata: { uid: `${kind} ${name}`, resourceVersion: "1" }, involvedObject: { kind, name }, ...more };
}

function kubeletStarting(second: number): object {
  const at = { firstTimestamp: timeOf(second), lastTimestamp: timeOf(second) };
  return eventOf("Node", "node-x", { reason: "Starting", message: "Starting kubelet.", ...at });
}

describe("Recorder", () => {
  it("keeps pods, their events and their node's in order of arrival, each version once", () => {
    const recorder = new Recorder(NODES, PODS);
    const noted = [
      recorder.note("Pod", { type: "ADDED", object: podOfVersion("1") }, 1),
      recorder.note("Event", { type: "ADDED", object: eventOf("Pod", "web-node-x") }, 2),
      recorder.note("Event", { type: "ADDED", object: eventOf("Node", "node-x") }, 3),
      recorder.note("Pod", { type: "ADDED", object: podOfVersion("1") }, 4),
      recorder.note("Pod", { type: "MODIFIED", object: podOfVersion("2") }, 5),
    ];
    expect(noted).toEqual([true, true, true, false, true]);
    const [recording, ...others] = recorder.recordings();
    expect(others).toEqual([]);
    expect(recording?.lines.map(({ kind, type, atMs }) => [kind, type, atMs])).toEqual([
      ["Pod", "ADDED", 1],
      ["Event", "ADDED", 2],
      ["Pod", "MODIFIED", 5],
    ]);
    expect(recording?.nodeEventLines.map(({ atMs }) => atMs)).toEqual([3]);
  });

  it.each([
    { kind: "Pod", type: "BOOKMARK", object: podOfVersion("9"), why: "it says nothing of a pod" },
    { kind: "Event", type: "ADDED", object: eventOf("Pod", "other"), why: "the pod is not ours" },
    { kind: "Event", type: "ADDED", object: eventOf("Node", "node-y"), why: "no pod of ours is on that node" },
  ] as const)("leaves out a $type of $kind: $why", ({ kind, type, object }) => {
    const recorder = new Recorder(NODES, PODS);
    expect(recorder.note(kind, { type, object }, 1)).toBe(false);
    expect(recorder.recordings()).toEqual([]);
  });
});

describe("saveRecordings()", () => {
  it("writes what the calibration reads", () => {
    const folder = mkdtempSync(join(tmpdir(), "test-cluster-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const recorder = new Recorder(NODES, PODS);
    recorder.note("Pod", { type: "ADDED", object: podOfVersion("1") }, START_MS + 1);
    recorder.note("Event", { type: "ADDED", object: eventOf("Node", "node-x") }, START_MS + 3);
    const done = [
      { atMs: START_MS, node: "node-x", pod: null, what: "one thing" },
      { atMs: START_MS, node: "node-x", pod: "web-node-x", what: "another" },
    ];
    saveRecordings(folder, recorder.recordings(), done);
    expect(loadRecordingFolder(folder)).toEqual(recorder.recordings());
    expect(interventions(folder)).toEqual(done);
  });
});

describe("restartsSince()", () => {
  function restartsWith(startingAt: number, arrivedAt: number) {
    const recorder = new Recorder(NODES, PODS);
    recorder.note("Pod", { type: "ADDED", object: podOfVersion("1") }, START_MS);
    recorder.note("Event", { type: "ADDED", object: kubeletStarting(startingAt) }, START_MS + arrivedAt * 1000);
    return restartsSince(START_MS + 60_500, recorder.recordings()).map(({ atMs, node, pod }) => ({
      second: (atMs - START_MS) / 1000,
      node,
      pod,
    }));
  }

  it("counts the command and the event that told of the restart", () => {
    const whole = { node: "node-x", pod: null };
    expect(restartsWith(64, 66)).toEqual([
      { second: 60.5, ...whole },
      { second: 66, ...whole },
    ]);
    expect(restartsWith(60, 61)).toHaveLength(2);
  });

  it.each([
    { startingAt: 30, arrivedAt: 31, why: "the kubelet started before the command" },
    { startingAt: 30, arrivedAt: 70, why: "an old event arrived again" },
  ])("counts nothing where $why", ({ startingAt, arrivedAt }) => {
    expect(restartsWith(startingAt, arrivedAt)).toEqual([]);
  });
});
