import { at, objectsOf, textOf } from "../../src/cluster/objects/untrusted.ts";
import type { Json } from "./world.ts";

interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** The workloads above a recorded pod, as an API server would have them; none if the pod has no owner. */
export function ownersOf(pod: Json): readonly Json[] {
  const [reference] = objectsOf(at(pod, "metadata", "ownerReferences"));
  const field = (name: keyof Owner): string => textOf(at(reference, name)) ?? "";
  const owner = { kind: field("kind"), name: field("name"), uid: field("uid") };
  const labels = (at(pod, "metadata", "labels") ?? {}) as Json;
  const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: "localhost/busybox:1" }] } };
  switch (owner.kind) {
    case "ReplicaSet":
      return deployment(owner, labels, template);
    case "StatefulSet":
      return [statefulSet(owner, labels), revision(`${owner.name}-59487f889d`, owner, template)];
    case "DaemonSet":
      return [daemonSet(owner, labels), revision(`${owner.name}-86869678cf`, owner, template)];
    case "Job":
      return job(owner, labels);
    default:
      return [];
  }
}

function object({ kind, name, uid }: Owner, metadata: object, fields: object): Json {
  const own = { name, uid, namespace: "dev-a", creationTimestamp: "2026-11-21T13:36:30Z", ...metadata };
  return { apiVersion: kind.endsWith("Job") ? "batch/v1" : "apps/v1", kind, metadata: own, ...fields } as Json;
}

function controlledBy(owner: Owner): object {
  const apiVersion = owner.kind.endsWith("Job") ? "batch/v1" : "apps/v1";
  return { ownerReferences: [{ apiVersion, ...owner, controller: true }] };
}

function condition(type: string, status: string, reason: string): object {
  const times = { lastUpdateTime: "2026-11-21T13:46:30Z", lastTransitionTime: "2026-11-21T13:46:30Z" };
  return { type, status, reason, message: `${type} is ${status}`, ...times };
}

function deployment(replicaSet: Owner, labels: Json, template: object): Json[] {
  const owner = { kind: "Deployment", name: "api", uid: "d-1" };
  const conditions = [condition("Progressing", "False", "ProgressDeadlineExceeded")];
  const status = { replicas: 3, updatedReplicas: 1, availableReplicas: 0, conditions };
  const spec = { replicas: 3, progressDeadlineSeconds: 600, selector: { matchLabels: { app: "api" } } };
  const annotations = { "deployment.kubernetes.io/revision": "2" };
  return [
    object(owner, {}, { spec, status }),
    object(replicaSet, { labels, annotations, ...controlledBy(owner) }, { spec: { template } }),
  ];
}

function statefulSet(owner: Owner, labels: Json): Json {
  const { name } = owner;
  const updateStrategy = { type: "RollingUpdate", rollingUpdate: { partition: 0 } };
  const selector = { matchLabels: { app: name } };
  const revisions = { currentRevision: `${name}-1`, updateRevision: `${name}-59487f889d` };
  return object(
    owner,
    { labels },
    {
      spec: { replicas: 2, selector, updateStrategy, podManagementPolicy: "OrderedReady" },
      status: { readyReplicas: 0, updatedReplicas: 1, ...revisions },
    },
  );
}

function daemonSet(owner: Owner, labels: Json): Json {
  const updateStrategy = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%" } };
  const status = { desiredNumberScheduled: 4, updatedNumberScheduled: 1, numberUnavailable: 3 };
  return object(
    owner,
    { labels },
    { spec: { selector: { matchLabels: { app: owner.name } }, updateStrategy }, status },
  );
}

function revision(name: string, owner: Owner, template: object): Json {
  const metadata = { labels: { app: owner.name }, ...controlledBy(owner) };
  return object({ kind: "ControllerRevision", name, uid: "r-1" }, metadata, {
    data: { spec: { template } },
    revision: 2,
  });
}

function job(owner: Owner, labels: Json): Json[] {
  const isScheduled = /-\d{8}$/.test(owner.name);
  const cronJob = { kind: "CronJob", name: owner.name.replace(/-\d{8}$/, ""), uid: "c-1" };
  const selector = { matchLabels: { "batch.kubernetes.io/controller-uid": owner.uid } };
  const spec = { backoffLimit: 6, selector, template: { spec: { restartPolicy: "OnFailure" } } };
  const status = { failed: 1, succeeded: 0, active: 1, conditions: [condition("Suspended", "False", "Resumed")] };
  const schedule = { schedule: "*/20 * * * *", suspend: false, concurrencyPolicy: "Forbid" };
  return [
    object(owner, { labels, ...(isScheduled && controlledBy(cronJob)) }, { spec, status }),
    ...(isScheduled ? [object(cronJob, {}, { spec: schedule })] : []),
  ];
}
