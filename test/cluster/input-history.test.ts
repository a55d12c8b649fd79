import { describe, expect, it } from "vitest";
import { ndjson, observeInput, onlyPod, rawEvent, rawNode, rawPod } from "../support/input.ts";

function podWith(resourceVersion: string | undefined, phase: string, metadata: object = {}): object {
  return rawPod({ metadata: { resourceVersion, ...metadata }, status: { phase } });
}

describe("several versions of a pod", () => {
  it("the newest resourceVersion is the state, the older ones are its history", async () => {
    const older = [podWith("1000", "Running"), podWith("99", "Pending")];
    const { pod, earlier } = await onlyPod([...older, podWith("1001", "Failed"), podWith("100", "Unknown")]);
    expect(pod?.phase).toBe("Failed");
    expect(earlier?.map(({ phase }) => phase)).toEqual(["Pending", "Unknown", "Running"]);
  });

  it("a repeated version counts once", async () => {
    const versions = [podWith("7", "Pending"), podWith("8", "Running")];
    expect((await onlyPod([...versions, ...versions])).earlier).toHaveLength(1);
  });

  it("a later object in the input counts as newer if a version has no resourceVersion", async () => {
    const versions = [podWith(undefined, "Pending"), podWith("8", "Running"), podWith(undefined, "Failed")];
    const { pod, earlier } = await onlyPod(versions);
    expect([...(earlier ?? []), pod].map((version) => version?.phase)).toEqual(["Pending", "Running", "Failed"]);
  });

  it("--at in the past hides no version", async () => {
    const objects = [podWith("7", "Pending"), podWith("8", "Running")];
    const { observation } = await observeInput(objects, { atMs: Date.UTC(2020, 0, 1) });
    expect(observation.pods[0]).toMatchObject({ pod: { phase: "Running" }, earlier: [{ phase: "Pending" }] });
  });

  it("a pod that the watch reports as deleted has its last state", async () => {
    const { pod } = await onlyPod([
      { type: "ADDED", object: podWith("7", "Running") },
      { type: "DELETED", object: podWith("8", "Failed") },
    ]);
    expect(pod?.phase).toBe("Failed");
  });
});

describe("a node that the watch reports as deleted", () => {
  it("has its last state", async () => {
    const conditions = [{ type: "Ready", status: "Unknown" }];
    const versions = [rawNode({ metadata: { resourceVersion: "7" } })];
    const gone = { type: "DELETED", object: rawNode({ metadata: { resourceVersion: "8" }, status: { conditions } }) };
    const { node, missing } = await onlyPod([rawPod(), ...versions, gone]);
    expect(node).toMatchObject({ kubeletVersion: "v1.37.1", conditions });
    expect(missing?.map(({ what }) => what)).not.toContain("node");
  });
});

describe("several pods", () => {
  it("of one name: the one that was created last is read, and the other is mentioned", async () => {
    const before = podWith("7", "Failed", { uid: "u-0", creationTimestamp: "2026-11-21T11:00:00Z" });
    const after = podWith("20", "Running", { uid: "u-1", creationTimestamp: "2026-11-21T11:30:00Z" });
    const both = [before, after];
    for (const objects of [both, both.toReversed()]) {
      const { pod, earlier, skipped } = await onlyPod(objects);
      expect(pod).toMatchObject({ uid: "u-1", phase: "Running" });
      expect(earlier).toEqual([]);
      expect(skipped).toEqual(["Left out an older pod that was called shop/web too: the newest one has the name."]);
    }
  });
});

describe("events", () => {
  const about = (reference: object) => rawEvent({ involvedObject: reference });

  it.each([
    {
      reference: { kind: "Pod", namespace: "shop", name: "web", uid: "u-1" },
      found: 1,
      why: "name, namespace, uid and kind are the pod's",
    },
    { reference: { kind: "Pod", namespace: "shop", name: "web" }, found: 1, why: "the event names no uid" },
    {
      reference: { kind: "Pod", name: "web", uid: "u-1" },
      found: 1,
      why: "the event names no namespace, so its own namespace counts",
    },
    {
      reference: { kind: "Pod", namespace: "shop", name: "web", uid: "u-0" },
      found: 0,
      why: "the event names another uid",
    },
    {
      reference: { kind: "Pod", namespace: "test", name: "web", uid: "u-1" },
      found: 0,
      why: "the event names another namespace",
    },
    {
      reference: { kind: "Pod", namespace: "shop", name: "api", uid: "u-1" },
      found: 0,
      why: "the event names another pod",
    },
    {
      reference: { kind: "Job", namespace: "shop", name: "web", uid: "u-1" },
      found: 0,
      why: "the event names an object of another kind",
    },
  ])("include $found of 1 event: $why", async ({ reference, found }) => {
    const { events } = await onlyPod([rawPod(), about(reference)]);
    expect(events).toHaveLength(found);
  });

  it("of a static pod name the uid that the kubelet gave the pod", async () => {
    const mirror = rawPod({ metadata: { annotations: { "kubernetes.io/config.mirror": "hash" } } });
    const { events } = await onlyPod([mirror, about({ kind: "Pod", namespace: "shop", name: "web", uid: "hash" })]);
    expect(events).toHaveLength(1);
  });

  it("of a pod without a uid are those of its name", async () => {
    const { events } = await onlyPod([rawPod({ metadata: { uid: undefined } }), rawEvent()]);
    expect(events).toHaveLength(1);
  });

  it.each([
    { versions: ["9", "10"], why: "the versions come in order" },
    { versions: ["10", "9"], why: "the versions come out of order" },
    { versions: [undefined, undefined], why: "without resourceVersion, the last one counts as the newest" },
  ])("of one name count as one event, in its newest version: $why", async ({ versions }) => {
    const events = versions.map((resourceVersion, index) =>
      rawEvent({ metadata: { resourceVersion }, count: Number(resourceVersion ?? index + 1) }),
    );
    const found = await onlyPod([rawPod(), ...events]);
    expect(found.events?.map(({ count }) => count)).toEqual([versions[0] === undefined ? 2 : 10]);
  });

  it("that the watch reports as deleted are left out, and are no gap", async () => {
    const lines = [rawPod(), { type: "ADDED", object: rawEvent() }];
    const gone = { type: "DELETED", object: rawEvent({ metadata: { resourceVersion: "201" } }) };
    expect((await onlyPod(lines)).events).toHaveLength(1);
    const { events, missing } = await onlyPod([...lines, gone]);
    expect(events).toEqual([]);
    expect(missing?.map(({ what }) => what)).not.toContain("events");
  });

  it("of the pod's node are its node events, whatever uid they have; those of other nodes are left out", async () => {
    const ofNode = (name: string, reference: object) =>
      rawEvent({ metadata: { name, namespace: "default" }, involvedObject: { kind: "Node", ...reference } });
    const { nodeEvents, events } = await onlyPod([
      rawPod(),
      ofNode("1", { name: "node-a", uid: "node-a" }),
      ofNode("2", { name: "node-a", uid: "7ee76659-dcfe-4f3b-9845-cb883598dfd3", namespace: "default" }),
      ofNode("3", { name: "node-a" }),
      ofNode("4", { name: "node-b" }),
    ]);
    expect(nodeEvents?.map(({ name }) => name)).toEqual(["1", "2", "3"]);
    expect(events).toEqual([]);
  });

  it("are left out if their name is of the wrong type, but not if their namespace is", async () => {
    const events = [rawEvent({ metadata: { name: ["x"] } }), rawEvent({ metadata: { name: "x", namespace: 7 } })];
    const { observation } = await observeInput(ndjson([rawPod(), ...events]));
    expect(observation.pods[0]?.events).toHaveLength(1);
  });
});
