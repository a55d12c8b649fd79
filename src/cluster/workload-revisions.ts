import type { ContainerImage, OwnedPod, RevisionSnapshot } from "../explain/observed/observation.ts";
import { controllerOf, nameOf } from "./owner-reference.ts";
import { instantOf } from "./timestamp.ts";
import { at, countOf, longCountOf, objectsOf, textOf } from "./untrusted.ts";
import type { ObjectKind } from "./workload-kinds.ts";

/** `RevisionAnnotation` (v1.37.1, pkg/controller/deployment/util/deployment_util.go). */
const REVISION_ANNOTATION = "deployment.kubernetes.io/revision";

/** The number of the revision that a ReplicaSet of a Deployment stands for; 0 without one. */
export function revisionNumberOf(replicaSet: unknown): number {
  const text = textOf(at(replicaSet, "metadata", "annotations", REVISION_ANNOTATION)) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** ReplicaSets of one Deployment, or ControllerRevisions of one StatefulSet or DaemonSet, the newest first. */
export function revisionsIn(
  kind: "ReplicaSet" | "ControllerRevision",
  objects: readonly unknown[],
): RevisionSnapshot[] {
  const revisions = objects.map((raw) => (kind === "ReplicaSet" ? ofReplicaSet(raw) : ofControllerRevision(raw)));
  return revisions.filter(({ number }) => number > 0).sort((a, b) => b.number - a.number);
}

function ofReplicaSet(raw: unknown): RevisionSnapshot {
  return { ...named(raw), number: revisionNumberOf(raw), images: imagesIn(at(raw, "spec", "template", "spec")) };
}

function ofControllerRevision(raw: unknown): RevisionSnapshot {
  const images = imagesIn(at(raw, "data", "spec", "template", "spec"));
  return { ...named(raw), number: longCountOf(at(raw, "revision")) ?? 0, images };
}

function named(raw: unknown): Pick<RevisionSnapshot, "name" | "createdAtMs"> {
  return { name: nameOf(raw), createdAtMs: instantOf(at(raw, "metadata", "creationTimestamp")) };
}

function imagesIn(podSpec: unknown): ContainerImage[] {
  return ["initContainers", "containers"].flatMap((field) =>
    objectsOf(at(podSpec, field)).map((container) => ({
      container: textOf(at(container, "name")) ?? "",
      image: textOf(at(container, "image")) ?? "",
    })),
  );
}

/** A pod of a workload, in numbers. */
export function toOwnedPod(kind: ObjectKind, workload: string, raw: unknown): OwnedPod {
  const statuses = ["initContainerStatuses", "containerStatuses"].flatMap((field) =>
    objectsOf(at(raw, "status", field)),
  );
  const ready = objectsOf(at(raw, "status", "conditions")).find((condition) => at(condition, "type") === "Ready");
  return {
    name: nameOf(raw),
    revision: revisionOf(kind, workload, raw),
    phase: textOf(at(raw, "status", "phase")),
    isReady: at(ready, "status") === "True",
    restarts: statuses.reduce((sum, status) => sum + (countOf(at(status, "restartCount")) ?? 0), 0),
    finishedAtMs: lastFinish(objectsOf(at(raw, "status", "containerStatuses"))),
    ...(kind === "Job" && ofIndexIn(raw)),
  };
}

/** The annotations by which the Job controller counts failures of an index (k8s.io/api v0.37.1, batch/v1/types.go). */
export const JOB_INDEX = {
  index: "batch.kubernetes.io/job-completion-index",
  failures: "batch.kubernetes.io/job-index-failure-count",
  ignoredFailures: "batch.kubernetes.io/job-index-ignored-failure-count",
} as const;

/** Mirrors `parseIndexFailureCountAnnotation` (v1.37.1, pkg/controller/job/indexed_job_utils.go): without it nothing is counted. */
function ofIndexIn(raw: unknown): Pick<OwnedPod, "ofIndex"> {
  const number = (annotation: string): number | null => {
    const text = textOf(at(raw, "metadata", "annotations", annotation)) ?? "";
    return /^\d{1,9}$/.test(text) ? Number(text) : null;
  };
  const index = number(JOB_INDEX.index);
  const failures = number(JOB_INDEX.failures);
  if (index === null || failures === null) return {};
  return { ofIndex: { index, failures, ignoredFailures: number(JOB_INDEX.ignoredFailures) ?? 0 } };
}

/** A StatefulSet labels its pods with the ControllerRevision's name, a DaemonSet with the hash at the end of it. */
function revisionOf(kind: ObjectKind, workload: string, raw: unknown): string | null {
  if (kind === "Deployment") return controllerOf(raw)?.name ?? null;
  const label = textOf(at(raw, "metadata", "labels", "controller-revision-hash"));
  return kind === "DaemonSet" && label !== null ? `${workload}-${label}` : label;
}

/** Mirrors `getFinishTimeFromContainers` (v1.37.1, pkg/controller/job/backoff_utils.go), sidecars aside. */
function lastFinish(statuses: readonly unknown[]): number | null {
  const finishes = statuses.map((status) => instantOf(at(status, "state", "terminated", "finishedAt")));
  const known = finishes.filter((finish) => finish !== null);
  return known.length === 0 || known.length < finishes.length ? null : known.reduce((a, b) => Math.max(a, b));
}
