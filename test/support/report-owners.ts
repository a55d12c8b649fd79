import { aRawNode } from "./raw-objects.ts";
import { aFineRawPod, aRawOwnedPod, aRawReplicaSet, aRawWorkload, ownedBy, uidOf } from "./raw-workloads.ts";

interface OwnedCase {
  /** The report is about the first pod. */
  readonly objects: readonly object[];
  readonly rules: readonly string[];
}

const NODE = aRawNode();

function revision(owner: { kind: string; name: string }, hash: string, number: number, image: string): object {
  const metadata = { ...ownedBy(owner, `${owner.name}-${hash}`), labels: { app: owner.name } };
  const data = { spec: { template: { spec: { containers: [{ name: "app", image }] } } } };
  return { apiVersion: "apps/v1", kind: "ControllerRevision", metadata, revision: number, data };
}

function deployment(): OwnedCase {
  const times = { lastUpdateTime: "2026-11-21T12:05:00Z", lastTransitionTime: "2026-11-21T12:05:00Z" };
  const conditions = [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", ...times }];
  const spec = { replicas: 3, selector: { matchLabels: { app: "api" } }, progressDeadlineSeconds: 60 };
  const status = { updatedReplicas: 1, availableReplicas: 2, conditions };
  const own = (hash: string) => ({ app: "api", "pod-template-hash": hash });
  return {
    objects: [
      aRawOwnedPod({ kind: "ReplicaSet", name: "api-bbbb" }, "api-bbbb-x1", own("bbbb")),
      aFineRawPod({ kind: "ReplicaSet", name: "api-cccc" }, "api-cccc-x2", own("cccc")),
      aRawReplicaSet("api", "bbbb", 2, "web:2"),
      aRawReplicaSet("api", "cccc", 1, "web:1"),
      aRawWorkload("Deployment", "api", { spec, status }),
      NODE,
    ],
    rules: ["rollout-stuck", "revisions-compared", "crashes-since-revision"],
  };
}

function statefulSet(): OwnedCase {
  const owner = { kind: "StatefulSet", name: "db" };
  const labels = { app: "db", "controller-revision-hash": "db-bbbb" };
  const updateStrategy = { type: "RollingUpdate", rollingUpdate: { partition: 1 } };
  const spec = { replicas: 3, selector: { matchLabels: { app: "db" } }, updateStrategy };
  const status = { updatedReplicas: 0, readyReplicas: 0, currentRevision: "db-bbbb", updateRevision: "db-cccc" };
  return {
    objects: [
      aRawOwnedPod(owner, "db-0", labels),
      aRawWorkload("StatefulSet", "db", { spec, status }),
      revision(owner, "bbbb", 1, "db:1"),
      revision(owner, "cccc", 2, "db:2"),
      NODE,
    ],
    rules: ["statefulset-partition", "statefulset-ordered", "revisions-compared"],
  };
}

function daemonSet(): OwnedCase {
  const owner = { kind: "DaemonSet", name: "agent" };
  const labels = (hash: string) => ({ app: "agent", "controller-revision-hash": hash });
  const status = { desiredNumberScheduled: 4, updatedNumberScheduled: 1, numberUnavailable: 1 };
  return {
    objects: [
      aRawOwnedPod(owner, "agent-x1", labels("cccc")),
      aFineRawPod(owner, "agent-x2", labels("bbbb")),
      aRawWorkload("DaemonSet", "agent", { status }),
      revision(owner, "bbbb", 1, "agent:1"),
      revision(owner, "cccc", 2, "agent:2"),
      NODE,
    ],
    rules: ["daemonset-update-waits", "revisions-compared", "crashes-since-revision"],
  };
}

function cronJob(): OwnedCase {
  const owner = { kind: "CronJob", name: "nightly" };
  const job = { kind: "Job", name: "nightly-29921140" };
  const template = { spec: { restartPolicy: "OnFailure" } };
  const spec = { selector: { matchLabels: { app: "nightly" } }, backoffLimit: 4, template };
  const metadata = { ...ownedBy(owner, job.name), uid: uidOf(job) };
  const cron = aRawWorkload("CronJob", "nightly", { spec: { schedule: "*/20 * * * *", concurrencyPolicy: "Forbid" } });
  return {
    objects: [
      aRawOwnedPod(job, "nightly-29921140-x1", { app: "nightly" }),
      aRawWorkload("Job", job.name, { metadata, spec, status: { active: 1 } }),
      cron,
      NODE,
    ],
    rules: ["job-backoff-limit", "cronjob-concurrency"],
  };
}

function inferred(): OwnedCase {
  const owner = { kind: "ReplicaSet", name: "api-bbbb" };
  return { objects: [aRawOwnedPod(owner, "api-bbbb-x1", { "pod-template-hash": "bbbb" }), NODE], rules: [] };
}

export const OWNED_CASES: Readonly<Record<string, OwnedCase>> = {
  Deployment: deployment(),
  StatefulSet: statefulSet(),
  DaemonSet: daemonSet(),
  "Job of a CronJob": cronJob(),
  "a Deployment by its name": inferred(),
};
