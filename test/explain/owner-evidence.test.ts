import { describe, expect, it } from "vitest";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import {
  daemonSetEvidence,
  deploymentEvidence,
  statefulSetEvidence,
} from "../../src/explain/owners/owner-deployment.ts";
import { T0_MS } from "../support/builders.ts";
import { aDaemonSet, aDeployment, anOwnedPod, aRevision, aStatefulSet, condition } from "../support/owners.ts";
import { rowsOf } from "../support/text-table.ts";

describe("deploymentEvidence()", () => {
  const waiting = condition("Progressing", "True", { reason: "ReplicaSetUpdated" });
  const stuck = condition("Progressing", "False", { reason: "ProgressDeadlineExceeded", lastTransitionAtMs: T0_MS });

  it.each([
    {
      set: { conditions: [stuck] },
      says: [
        "rollout-stuck: the rollout of Deployment api is stuck since 2026-11-21T12:00:00Z (ProgressDeadlineExceeded: no progress for 10m): 1 of 3 replicas updated, 2 available. Kubernetes won't roll back by itself: kubectl rollout undo deployment/api",
      ],
      why: "the progress deadline has passed",
    },
    {
      set: { replicas: 1, updatedReplicas: 1, availableReplicas: 0, conditions: [stuck] },
      revisions: 1,
      says: [
        "rollout-stuck: the rollout of Deployment api is stuck since 2026-11-21T12:00:00Z (ProgressDeadlineExceeded: no progress for 10m): 1 of 1 replica updated, 0 available",
      ],
      why: "there is no earlier revision to go back to",
    },
    {
      set: { conditions: [waiting], progressedAtMs: T0_MS },
      says: [
        "rollout-waits: the rollout of Deployment api waits: 1 of 3 replicas updated, 2 available; without progress it will be marked as stuck at 2026-11-21T12:10:00Z",
      ],
      why: "the progress deadline has not passed",
    },
    {
      set: { updatedReplicas: 3, conditions: [condition("Progressing", "True", { reason: "NewReplicaSetAvailable" })] },
      says: ["replicas-missing: Deployment api has 2 of 3 replicas available"],
      why: "no rollout is under way",
    },
    { set: { updatedReplicas: 3, availableReplicas: 3 }, says: [], why: "all replicas are available" },
  ])("says $says: $why", ({ set, revisions = 2, says }) => {
    expect(
      deploymentEvidence(aDeployment(set), revisions).map(({ rule, text }) => `${rule}: ${textInUtc(text)}`),
    ).toEqual(says);
  });
});

const SETS: Readonly<Record<string, Parameters<typeof aStatefulSet>[0]>> = {
  Parallel: { isOrdered: false },
  OnDelete: { updateStrategy: "OnDelete" },
  Recreate: { updateStrategy: "Recreate" },
  "partition 2": { partition: 2 },
  "partition 1": { partition: 1 },
  updated: { currentRevision: "db-2" },
};

const STATEFUL = `
  set          revision  Ready  rule                              why
  -            db-1      no     statefulset-waits-for-broken-pod  OrderedReady does not replace a pod that is not Ready
  -            db-1      yes    statefulset-update                the pod is Ready, so its turn will come
  Parallel     db-1      no     statefulset-update                Parallel does not wait for the pod
  OnDelete     db-1      no     statefulset-on-delete             only a deletion replaces it
  Recreate     db-1      no     statefulset-update                Recreate deletes all pods, Ready or not
  partition 2  db-1      no     statefulset-partition             the pod's ordinal is below the partition
  partition 1  db-1      no     statefulset-waits-for-broken-pod  the pod's ordinal is the partition
  -            db-2      no     statefulset-update-waits          the update waits for the pod
  updated      db-2      no     -                                 no update is under way
  -            -         no     -                                 the pod's revision is unknown
`;

describe("statefulSetEvidence()", () => {
  it.each(rowsOf<"set" | "revision" | "Ready" | "rule" | "why">(STATEFUL))("says $rule: $why", (row) => {
    const pod = anOwnedPod("db-1", { revision: row.revision || null, isReady: row.Ready === "yes" });
    const evidence = statefulSetEvidence(aStatefulSet(SETS[row.set]), pod, 3);
    expect(evidence.map(({ rule }) => rule)).toEqual(row.rule === "" ? [] : [row.rule]);
  });

  const old = { revision: "db-1", isReady: false };

  it("gives the updated replicas, and the command that unblocks the update", () => {
    const [evidence] = statefulSetEvidence(aStatefulSet({ updatedReplicas: 2 }), anOwnedPod("db-0", old), 3);
    expect(evidence).toMatchObject({ basis: "inferred" });
    expect(evidence?.text).toContain(
      "StatefulSet db has a newer template (db-2) than this pod (db-1), but this pod blocks the rolling update: 2 of 3 replicas updated; kubectl delete pod db-0 lets it pick up the new template (kubernetes/kubernetes#67250)",
    );
  });

  it.each([
    { pod: "db-5", says: "partition 2 keeps the pods below number 6 as they are", why: "it is the second pod" },
    { pod: "db-6", says: "but this pod blocks the rolling update", why: "it is the third pod" },
  ])("counts the partition from spec.ordinals.start 4: $pod, because $why", ({ pod, says }) => {
    const set = aStatefulSet({ partition: 2, firstOrdinal: 4 });
    const texts = statefulSetEvidence(set, anOwnedPod(pod, old), 3).map(({ text }) => textInUtc(text));
    expect(texts).toEqual([expect.stringContaining(says)]);
  });

  it("says how many replicas exist if no later pod is created", () => {
    const set = aStatefulSet({ currentRevision: "db-2" });
    const evidence = statefulSetEvidence(set, anOwnedPod("db-0", { revision: "db-2", isReady: false }), 1);
    expect(evidence.map(({ rule, text }) => [rule, textInUtc(text).includes("1 of 3 replicas")])).toEqual([
      ["statefulset-ordered", true],
    ]);
  });
});

describe("daemonSetEvidence()", () => {
  const newest = aRevision(2, "agent:2", { name: "agent-2" });

  it.each([
    {
      set: {},
      pod: { revision: "agent-2", isReady: false },
      says: "one pod unavailable, maxUnavailable is 1 (1 of 4 pods updated)",
      why: "the update waits for the pod",
    },
    {
      set: { updateStrategy: "OnDelete" as const },
      pod: { revision: "agent-1" },
      says: "until you delete it",
      why: "only a deletion replaces it",
    },
    { set: {}, pod: { revision: "agent-1" }, says: "will replace it", why: "its turn will come" },
    { set: { updated: 4 }, pod: { revision: "agent-2" }, says: null, why: "no update is under way" },
    {
      set: {},
      pod: { revision: "agent-2", isReady: true },
      says: null,
      why: "the update does not wait for a pod that is Ready",
    },
  ])("says $says: $why", ({ set, pod, says }) => {
    const evidence = daemonSetEvidence(aDaemonSet(set), anOwnedPod("agent-x", pod), newest);
    expect(evidence.map(({ text }) => text)).toEqual(says === null ? [] : [expect.stringContaining(says)]);
  });
});
