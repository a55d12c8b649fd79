import type {
  OwnedPod,
  OwnerReference,
  OwnersObservation,
  PodSnapshot,
  RevisionSnapshot,
  WorkloadSnapshot,
} from "../../explain/observation.ts";
import { JOB_INDEX } from "../objects/pod.ts";
import { hashIn } from "./anonymous-names.ts";
import { timeOf } from "./condition-object.ts";
import { workloadParts } from "./workload-parts.ts";

const API_VERSIONS: Readonly<Record<string, string>> = { Job: "batch/v1", CronJob: "batch/v1" };

/** The objects above a pod and the other pods below them, so that `observeOwners` finds the same in them. */
export function ownerObjects(owners: OwnersObservation, { namespace, name: ownName }: PodSnapshot): object[] {
  const { chain, workload, revisions, pods } = owners;
  const [controller, parent] = chain;
  const above = parent?.basis === "seen" ? parent : undefined;
  if (controller === undefined) return [];
  if (workload === null)
    return above === undefined ? [] : [ownedObject(controller.kind, controller.name, namespace, above)];
  const labels = { app: workload.name };
  const isTop = workload.kind === controller.kind && workload.name === controller.name;
  const own = {
    ...workloadParts(workload),
    ...ownedObject(workload.kind, workload.name, namespace, isTop ? above : undefined),
  };
  const isListed = isTop || revisions.some(({ name }) => name === controller.name);
  // Not among the workload's revisions, but on the way to it.
  const between = isListed ? [] : [ownedObject(controller.kind, controller.name, namespace, workload)];
  return [
    own,
    ...between,
    ...revisions.map((revision) => revisionObject(revision, workload, namespace, labels)),
    ...cronJobObjects(workload, namespace),
    ...pods.filter(({ name }) => name !== ownName).map((pod) => ownedPodObject(pod, workload, namespace)),
  ];
}

/** The labels by which a pod is found to belong to its owners. */
export function ownLabels(
  { chain, workload, pods }: OwnersObservation,
  podName: string,
): Readonly<Record<string, string>> {
  const [controller, parent] = chain;
  const own = pods.find(({ name }) => name === podName);
  const isOfDeployment = controller?.kind === "ReplicaSet" && parent?.kind === "Deployment";
  return {
    ...(isOfDeployment && { "pod-template-hash": hashIn(controller.name) }),
    ...(own !== undefined && workload !== null && labelsOf(own, workload)),
  };
}

/** A StatefulSet labels its pods with the ControllerRevision's name, a DaemonSet with the hash at the end of it. */
function labelsOf({ revision }: OwnedPod, { kind, name }: WorkloadSnapshot): Record<string, string> {
  const label = revision === null || kind === "Deployment" ? null : kind === "DaemonSet" ? hashIn(revision) : revision;
  return { app: name, ...(label !== null && { "controller-revision-hash": label }) };
}

/** The annotations that say which index of a Job the pod itself works on; undefined for all others. */
export function ownAnnotations({ pods }: OwnersObservation, podName: string) {
  return indexAnnotations(pods.find(({ name }) => name === podName)?.ofIndex);
}

function indexAnnotations(ofIndex: OwnedPod["ofIndex"]): Record<string, string> | undefined {
  if (ofIndex === undefined) return undefined;
  const { index, failures, ignoredFailures } = ofIndex;
  return {
    [JOB_INDEX.index]: `${index}`,
    [JOB_INDEX.failures]: `${failures}`,
    [JOB_INDEX.ignoredFailures]: `${ignoredFailures}`,
  };
}

function ownedObject(kind: string, name: string, namespace: string, owner: OwnerReference | undefined) {
  const ownerReferences = owner === undefined ? undefined : [{ kind: owner.kind, name: owner.name, controller: true }];
  const apiVersion = API_VERSIONS[kind] ?? "apps/v1";
  return { apiVersion, kind, metadata: { name, namespace, ownerReferences } };
}

function revisionObject(
  { name, number, createdAtMs, images }: RevisionSnapshot,
  workload: WorkloadSnapshot,
  namespace: string,
  labels: object,
): object {
  const kind = workload.kind === "Deployment" ? "ReplicaSet" : "ControllerRevision";
  const { metadata, ...rest } = ownedObject(kind, name, namespace, workload);
  const spec = {
    template: { spec: { containers: images.map(({ container, image }) => ({ name: container, image })) } },
  };
  const known = { ...metadata, creationTimestamp: timeOf(createdAtMs), labels };
  if (kind === "ControllerRevision") return { ...rest, metadata: known, revision: number, data: { spec } };
  const annotations = { "deployment.kubernetes.io/revision": String(number) };
  return { ...rest, metadata: { ...known, annotations }, spec };
}

function cronJobObjects(workload: WorkloadSnapshot, namespace: string): object[] {
  if (workload.kind !== "Job" || workload.cronJob === null) return [];
  const { name, schedule, suspended, concurrencyPolicy } = workload.cronJob;
  const spec = { schedule: schedule ?? undefined, suspend: suspended, concurrencyPolicy };
  return [{ ...ownedObject("CronJob", name, namespace, undefined), spec }];
}

/** The inverse of `toOwnedPod`: one container stands for all. */
function ownedPodObject(pod: OwnedPod, workload: WorkloadSnapshot, namespace: string): object {
  const { name, phase, isReady, restarts, revision, finishedAtMs, ofIndex } = pod;
  const isOfDeployment = workload.kind === "Deployment" && revision !== null;
  const owner = isOfDeployment ? { kind: "ReplicaSet", name: revision } : workload;
  const state = finishedAtMs === null ? {} : { terminated: { finishedAt: timeOf(finishedAtMs) } };
  const { metadata } = ownedObject("Pod", name, namespace, owner);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...metadata, labels: labelsOf(pod, workload), annotations: indexAnnotations(ofIndex) },
    status: {
      phase: phase ?? undefined,
      conditions: [{ type: "Ready", status: isReady ? "True" : "False" }],
      containerStatuses: [{ name: "all", restartCount: restarts, state }],
    },
  };
}
