import { describe, expect, it } from "vitest";
import { toPodSnapshot } from "../../../src/cluster/objects/pod.ts";

const RAW = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "web-0",
    namespace: "shop",
    uid: "u-1",
    generation: 3,
    creationTimestamp: "2026-11-21T12:00:00Z",
    deletionTimestamp: "2026-11-21T12:10:30Z",
    finalizers: ["example.com/hold"],
    deletionGracePeriodSeconds: 30,
    ownerReferences: [
      { kind: "Backup", name: "nightly" },
      { kind: "StatefulSet", name: "web", controller: true },
    ],
  },
  spec: { nodeName: "node-a", restartPolicy: "OnFailure", terminationGracePeriodSeconds: 5, hostNetwork: true },
  status: {
    phase: "Running",
    reason: "Evicted",
    message: "The node was low on memory.",
    podIP: "10.0.0.7",
    startTime: "2026-11-21T12:00:01Z",
    conditions: [
      { type: "Ready", status: "False", reason: "ContainersNotReady", lastTransitionTime: "2026-11-21T12:00:02Z" },
      { type: "Initialized", status: "perhaps", message: "" },
      { status: "True" },
    ],
  },
};

describe("toPodSnapshot()", () => {
  it("reads the fields of the pod", () => {
    expect(toPodSnapshot(RAW)).toEqual({
      namespace: "shop",
      name: "web-0",
      uid: "u-1",
      generation: 3,
      createdAtMs: Date.UTC(2026, 10, 21, 12, 0, 0),
      deletionAtMs: Date.UTC(2026, 10, 21, 12, 10, 30),
      finalizers: ["example.com/hold"],
      deletionRequestedAtMs: Date.UTC(2026, 10, 21, 12, 10, 0),
      owner: { kind: "StatefulSet", name: "web" },
      nodeName: "node-a",
      restartPolicy: "OnFailure",
      gracePeriodMs: 5000,
      hostNetwork: true,
      memoryLimit: null,
      podIP: "10.0.0.7",
      phase: "Running",
      reason: "Evicted",
      message: "The node was low on memory.",
      startedAtMs: Date.UTC(2026, 10, 21, 12, 0, 1),
      conditions: [
        {
          type: "Ready",
          status: "False",
          reason: "ContainersNotReady",
          message: null,
          lastTransitionAtMs: Date.UTC(2026, 10, 21, 12, 0, 2),
        },
        { type: "Initialized", status: "Unknown", reason: null, message: null, lastTransitionAtMs: null },
      ],
      containers: [],
      statuses: [],
      unusable: ["status.conditions[1].status", "status.conditions[2].type"],
    });
  });

  it("fills in the API's defaults, and null for the rest", () => {
    const times = { createdAtMs: null, deletionAtMs: null, deletionRequestedAtMs: null, startedAtMs: null };
    const unknown = { uid: null, generation: null, owner: null, nodeName: null, memoryLimit: null, podIP: null };
    expect(toPodSnapshot({ metadata: { name: "web" } })).toEqual({
      ...{ namespace: "default", name: "web", restartPolicy: "Always", gracePeriodMs: 30_000, hostNetwork: false },
      ...{ ...times, ...unknown, phase: null, reason: null, message: null },
      ...{ finalizers: [], conditions: [], containers: [], statuses: [] },
    });
  });

  it.each([
    { grace: 0, ms: 0, why: "0 is a grace period" },
    { grace: -1, ms: 30_000, why: "a negative number is no grace period" },
    { grace: "5", ms: 30_000, why: "a text is no grace period" },
    { grace: 1.5, ms: 30_000, why: "a fraction is no grace period" },
  ])("reads terminationGracePeriodSeconds $grace as $ms ms: $why", ({ grace, ms }) => {
    expect(toPodSnapshot({ spec: { terminationGracePeriodSeconds: grace } }).gracePeriodMs).toBe(ms);
  });

  it.each([
    { why: "its annotation names a file", metadata: { annotations: { "kubernetes.io/config.source": "file" } } },
    {
      why: "its annotation says that it is a mirror pod",
      metadata: { annotations: { "kubernetes.io/config.mirror": "5f1c" } },
    },
    { why: "its Node owns it", metadata: { ownerReferences: [{ kind: "Node", name: "node-a", controller: true }] } },
  ])("recognizes a static pod: $why", ({ metadata }) => {
    expect(toPodSnapshot({ metadata }).isStatic).toBe(true);
  });

  it("recognizes that a pod from the API is not static", () => {
    const annotations = { "kubernetes.io/config.source": "api" };
    expect(toPodSnapshot({ metadata: { annotations } })).not.toHaveProperty("isStatic");
  });

  it("has no owner if none of the owners is the controller", () => {
    expect(toPodSnapshot({ metadata: { ownerReferences: [{ kind: "Job", name: "j" }] } }).owner).toBeNull();
  });
});
