import { describe, expect, it } from "vitest";
import { observationAt } from "../../lab/recordings/recorded-moment.ts";
import {
  interventions,
  loadRecordingFolder,
  type RecordedLine,
  type Recording,
  recordingOf,
} from "../../lab/recordings/recordings.ts";
import { folderOf, ndjson, rawConfigz, rawEvent, rawNode, rawPod } from "../support/input.ts";

function line(atMs: number, object: object, type: RecordedLine["type"] = "MODIFIED"): RecordedLine {
  return { atMs, kind: "kind" in object && object.kind === "Pod" ? "Pod" : "Event", type, object };
}

function podOf(uid: string, phase: string): object {
  return rawPod({ metadata: { uid }, status: { phase } });
}

const RECORDING: Recording = {
  node: "node-a",
  pod: "web",
  lines: [
    line(10, podOf("u-0", "Pending"), "ADDED"),
    line(20, rawEvent({ count: 1, involvedObject: { uid: "u-0" } }), "ADDED"),
    line(30, podOf("u-0", "Running")),
    line(40, rawEvent({ count: 2, involvedObject: { uid: "u-0" } })),
    line(40, rawEvent({ metadata: { name: "web.2" }, involvedObject: {} })),
    line(50, rawEvent({ count: 2, involvedObject: { uid: "u-0" } }), "DELETED"),
    line(60, podOf("u-0", "Failed"), "DELETED"),
    line(70, podOf("u-1", "Pending"), "ADDED"),
    line(80, rawEvent({ metadata: { name: "web.3" }, involvedObject: { uid: "u-1" } }), "ADDED"),
  ],
  nodeRaw: rawNode(),
  configzRaw: rawConfigz(60),
  nodeEventLines: [
    line(35, rawEvent({ metadata: { name: "node-a.1" }, involvedObject: { kind: "Node", name: "node-a" } })),
  ],
};

describe("observationAt()", () => {
  it.each([
    { atMs: 9, seen: null, why: "before the pod arrived" },
    { atMs: 10, seen: ["u-0", "Pending", [], 0], why: "at the moment of arrival" },
    { atMs: 29, seen: ["u-0", "Pending", ["web.1×1"], 0], why: "an event has arrived" },
    { atMs: 40, seen: ["u-0", "Running", ["web.1×2", "web.2×1"], 1], why: "the newest version of each object" },
    { atMs: 50, seen: ["u-0", "Running", ["web.2×1"], 1], why: "an event is gone" },
    { atMs: 60, seen: null, why: "the pod is gone" },
    {
      atMs: 75,
      seen: ["u-1", "Pending", ["web.2×1"], 1],
      why: "another pod has its name, and the events without a uid",
    },
    { atMs: 1e6, seen: ["u-1", "Pending", ["web.2×1", "web.3×1"], 1], why: "long after" },
  ])("returns what had arrived by $atMs: $why", ({ atMs, seen }) => {
    const observation = observationAt(RECORDING, atMs);
    const [observed] = observation?.pods ?? [];
    const events = observed?.events.map(({ name, count }) => `${name}×${count}`);
    expect(observed ? [observed.pod.uid, observed.pod.phase, events, observed.nodeEvents.length] : null).toEqual(seen);
    if (observation !== null) expect(observation).toMatchObject({ atMs, atBasis: "flag" });
  });

  it("finds the node and its configuration, and reports nothing as missing", () => {
    const [observed] = observationAt(RECORDING, 40)?.pods ?? [];
    expect(observed).toMatchObject({ node: { name: "node-a" }, earlier: [], missing: [] });
    expect(observed?.kubeletConfig?.maxContainerRestartPeriodMs).toBe(60_000);
  });

  it("reports files of the node that do not exist as missing", () => {
    const [observed] = observationAt({ ...RECORDING, nodeRaw: null, configzRaw: null }, 40)?.pods ?? [];
    expect(observed?.missing).toEqual([
      { what: "node", why: "not-in-input" },
      { what: "node-config", why: "not-in-input" },
    ]);
  });

  it("gives a pod without a node nothing of the node that it was recorded with", () => {
    const recording = recordingOf("node-a/no-node");
    const [observed] = observationAt(recording, recording.lines.at(-1)?.atMs ?? 0)?.pods ?? [];
    expect(observed).toMatchObject({ node: null, nodeEvents: [], kubeletConfig: null, missing: [] });
  });
});

describe("loadRecordingFolder()", () => {
  const line = { at: "2026-11-21T12:00:00.250Z", kind: "Pod", type: "ADDED", object: rawPod() };

  it("loads every node folder, sorted, with what belongs to the node", () => {
    const folder = folderOf({
      "n2/web.ndjson": ndjson([line]),
      "n1/web.ndjson": ndjson([line, line]),
      "n1/api.ndjson": ndjson([line]),
      "n1/node-events.ndjson": ndjson([{ ...line, kind: "Event", object: rawEvent() }]),
      "n1/node.json": JSON.stringify(rawNode()),
      "n1/configz.json": JSON.stringify(rawConfigz()),
      "interventions.json": '[{"at":"2026-11-21T12:00:01Z","node":"n1","what":"restart"}]',
    });
    const recordings = loadRecordingFolder(folder);
    expect(recordings.map(({ node, pod, lines }) => `${node}/${pod} ${lines.length}`)).toEqual([
      "n1/api 1",
      "n1/web 2",
      "n2/web 1",
    ]);
    expect(recordings[0]).toMatchObject({
      nodeRaw: rawNode(),
      configzRaw: rawConfigz(),
      nodeEventLines: [{ kind: "Event" }],
    });
    expect(recordings[0]?.lines).toEqual([
      { atMs: Date.UTC(2026, 10, 21, 12, 0, 0, 250), kind: "Pod", type: "ADDED", object: rawPod() },
    ]);
    expect(recordings[2]).toMatchObject({ nodeRaw: null, configzRaw: null, nodeEventLines: [] });
    expect(interventions(folder)).toEqual([
      { atMs: Date.UTC(2026, 10, 21, 12, 0, 1), node: "n1", pod: null, what: "restart" },
    ]);
    expect(loadRecordingFolder(`${folder}/n1`).map(({ pod }) => pod)).toEqual(["api", "web"]);
  });
});
