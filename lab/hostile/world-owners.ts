import { at, objectsOf, textOf } from "../../src/cluster/objects/untrusted.ts";
import type { Json } from "./world.ts";

/** The workloads above a pod of the recordings, as an API server would have them; none for a pod of its own. */
export function ownersOf(pod: Json): readonly Json[] {
  const [reference] = objectsOf(at(pod, "metadata", "ownerReferences"));
  const kind = textOf(at(reference, "kind"));
  const name = textOf(at(reference, "name")) ?? "";
  const uid = textOf(at(reference, "uid")) ?? "";
  const labels = (at(pod, "metadata", "labels") ?? {}) as Json;
  const template: Json = {
    metadata: { labels },
    spec: { containers: [{ name: "app", image: "localhost/busybox:1" }] },
  };
  switch (kind) {
    case "ReplicaSet":
      return deployment(name, uid, labels, template);
    case "StatefulSet":
      return [statefulSet(name, uid, labels), revision(`${name}-59487f889d`, { kind, name, uid }, template)];
    case "DaemonSet":
      return [daemonSet(name, uid, labels), revision(`${name}-86869678cf`, { kind, name, uid }, template)];
    case "Job":
      return job(name, uid, labels);
    default:
      return [];
  }
}

const CREATED = { namespace: "dev-a", creationTimestamp: "2026-11-21T13:36:30Z" };

function controlled(kind: string, name: string, uid: string): Json {
  const apiVersion = kind.endsWith("Job") ? "batch/v1" : "apps/v1";
  return [{ apiVersion, kind, name, uid, controller: true }];
}

function condition(type: string, status: string, reason: string): Json {
  const times = { lastUpdateTime: "2026-11-21T13:46:30Z", lastTransitionTime: "2026-11-21T13:46:30Z" };
  return { type, status, reason, message: `${type} is ${status}`, ...times };
}

function deployment(replicaSet: string, uid: string, labels: Json, template: Json): Json[] {
  const owner = { apiVersion: "apps/v1", kind: "Deployment" };
  const metadata = { name: "api", uid: "d-1", ...CREATED };
  const conditions = [condition("Progressing", "False", "ProgressDeadlineExceeded")];
  const status = { replicas: 3, updatedReplicas: 1, availableReplicas: 0, conditions };
  const spec = { replicas: 3, progressDeadlineSeconds: 600, selector: { matchLabels: { app: "api" } } };
  const annotations = { "deployment.kubernetes.io/revision": "2" };
  const ownerReferences = controlled("Deployment", "api", "d-1");
  return [
    { ...owner, metadata, spec, status },
    {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: replicaSet, uid, ...CREATED, labels, annotations, ownerReferences },
      spec: { template },
    },
  ];
}

function statefulSet(name: string, uid: string, labels: Json): Json {
  const updateStrategy = { type: "RollingUpdate", rollingUpdate: { partition: 0 } };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name, uid, ...CREATED, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      updateStrategy,
      podManagementPolicy: "OrderedReady",
    },
    status: {
      readyReplicas: 0,
      updatedReplicas: 1,
      currentRevision: `${name}-1`,
      updateRevision: `${name}-59487f889d`,
    },
  };
}

function daemonSet(name: string, uid: string, labels: Json): Json {
  const updateStrategy = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%" } };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name, uid, ...CREATED, labels },
    spec: { selector: { matchLabels: { app: name } }, updateStrategy },
    status: { desiredNumberScheduled: 4, updatedNumberScheduled: 1, numberUnavailable: 3 },
  };
}

function revision(name: string, owner: { kind: string; name: string; uid: string }, template: Json): Json {
  const ownerReferences = controlled(owner.kind, owner.name, owner.uid);
  return {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: { name, uid: "r-1", ...CREATED, labels: { app: owner.name }, ownerReferences },
    data: { spec: { template } },
    revision: 2,
  };
}

function job(name: string, uid: string, labels: Json): Json[] {
  const isScheduled = /-\d{8}$/.test(name);
  const cronJob = name.replace(/-\d{8}$/, "");
  const owned = isScheduled ? { ownerReferences: controlled("CronJob", cronJob, "c-1") } : {};
  const matchLabels = { "batch.kubernetes.io/controller-uid": uid };
  const found: Json = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, uid, ...CREATED, labels, ...owned },
    spec: { backoffLimit: 6, selector: { matchLabels }, template: { spec: { restartPolicy: "OnFailure" } } },
    status: { failed: 1, succeeded: 0, active: 1, conditions: [condition("Suspended", "False", "Resumed")] },
  };
  const schedule: Json = {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: cronJob, uid: "c-1", ...CREATED },
    spec: { schedule: "*/20 * * * *", suspend: false, concurrencyPolicy: "Forbid" },
  };
  return isScheduled ? [found, schedule] : [found];
}
