import { describe, expect, it } from "vitest";
import { replacesDeletedPods, replacesUnreadyPods } from "../../src/explain/rollout.ts";
import { aDaemonSet, aDeployment, aStatefulSet } from "../support/owners.ts";

describe("replacesUnreadyPods()", () => {
  it.each([
    { kind: "ReplicaSet", workload: null, is: true, why: "a Deployment scales the old ReplicaSet down" },
    { kind: "Deployment", workload: aDeployment(), is: true, why: "a Deployment scales the old ReplicaSet down" },
    {
      kind: "DaemonSet",
      workload: aDaemonSet(),
      is: true,
      why: "a DaemonSet replaces pods that are not available first",
    },
    {
      kind: "DaemonSet",
      workload: aDaemonSet({ updateStrategy: "OnDelete" }),
      is: false,
      why: "only the user deletes pods under OnDelete",
    },
    { kind: "Deployment", workload: aDeployment({ isPaused: true }), is: false, why: "a paused one rolls nothing out" },
    {
      kind: "StatefulSet",
      workload: aStatefulSet({ isOrdered: false, partition: 2 }),
      is: false,
      why: "the partition may leave the pod as it is",
    },
    { kind: "StatefulSet", workload: null, is: false, why: "OrderedReady is the default" },
    { kind: "StatefulSet", workload: aStatefulSet(), is: false, why: "OrderedReady waits for the pod" },
    { kind: "StatefulSet", workload: aStatefulSet({ isOrdered: false }), is: true, why: "Parallel does not wait" },
    {
      kind: "StatefulSet",
      workload: aStatefulSet({ isOrdered: false, updateStrategy: "OnDelete" }),
      is: false,
      why: "only the user deletes pods under OnDelete",
    },
    {
      kind: "StatefulSet",
      workload: aStatefulSet({ updateStrategy: "Recreate" }),
      is: true,
      why: "Recreate deletes all pods of an older revision, Ready or not",
    },
    { kind: "Job", workload: null, is: false, why: "a Job has no rollout" },
  ] as const)("is $is for a pod of a $kind: $why", ({ kind, workload, is }) => {
    expect(replacesUnreadyPods(kind, workload)).toBe(is);
  });
});

describe("replacesDeletedPods()", () => {
  it.each([
    { kind: "ReplicaSet", is: true },
    { kind: "StatefulSet", is: true },
    { kind: "Job", is: false },
    { kind: "Node", is: false },
    { kind: "TaskRun", is: false },
  ])("is $is for a $kind", ({ kind, is }) => {
    expect(replacesDeletedPods(kind)).toBe(is);
  });
});
