import type {
  AskedJob,
  CronJobSnapshot,
  DaemonSetSnapshot,
  DeploymentSnapshot,
  JobSnapshot,
  ReplicaSetSnapshot,
  RevisionSnapshot,
  StatefulSetSnapshot,
  WorkloadSnapshot,
} from "../../explain/observed/observation.ts";
import { NO_BACKOFF_LIMIT } from "../../explain/observed/owner-observation.ts";
import { RESTART_POLICY } from "./container.ts";
import { count, flag, list, longCount, map, object, text, value, word } from "./declaration.ts";
import { at, countOf } from "./json-access.ts";
import { CONDITION, conditionIn, METADATA } from "./metadata.ts";
import { podTemplateIn } from "./pod-template.ts";
import type { ObjectKind } from "./workload-kinds.ts";

/** `RevisionAnnotation` (v1.37.1, pkg/controller/deployment/util/deployment_util.go). */
const REVISION_ANNOTATION = "deployment.kubernetes.io/revision";

/**
 * `RevisionHistoryAnnotation` (v1.37.1, pkg/controller/deployment/util/deployment_util.go): earlier revision numbers of
 * a ReplicaSet to which a Deployment went back.
 */
const HISTORY_ANNOTATION = "deployment.kubernetes.io/revision-history";

const countOrShare = value((raw) => {
  const pods = countOf(raw);
  if (pods !== null) return String(pods);
  return typeof raw === "string" && /^\d{1,9}%$/.test(raw) ? raw : undefined;
});

const IMAGES = list(object({ name: text, image: text }));

const TEMPLATE = object({
  metadata: object({ labels: map(text) }),
  spec: object({ restartPolicy: RESTART_POLICY, initContainers: IMAGES, containers: IMAGES }),
});

const labelValue = value((raw) => (typeof raw === "string" ? raw : undefined));

export const SELECTOR = object({
  matchLabels: map(labelValue),
  matchExpressions: list(
    object({ key: text, operator: word("In", "NotIn", "Exists", "DoesNotExist"), values: list(labelValue) }, "key"),
  ),
});

export const WORKLOAD = object({
  metadata: object({ ...METADATA, annotations: object({ [REVISION_ANNOTATION]: text, [HISTORY_ANNOTATION]: text }) }),
  spec: object({
    replicas: count,
    progressDeadlineSeconds: count,
    paused: flag,
    podManagementPolicy: word("OrderedReady", "Parallel"),
    backoffLimit: count,
    parallelism: count,
    completions: count,
    activeDeadlineSeconds: longCount,
    backoffLimitPerIndex: count,
    maxFailedIndexes: count,
    template: TEMPLATE,
    updateStrategy: object({
      // StatefulSets can have the update strategy Recreate since v1.37.
      type: word("RollingUpdate", "OnDelete", "Recreate"),
      rollingUpdate: object({ partition: count, maxUnavailable: countOrShare }),
    }),
    ordinals: object({ start: count }),
    selector: SELECTOR,
  }),
  status: object({
    updatedReplicas: count,
    availableReplicas: count,
    readyReplicas: count,
    desiredNumberScheduled: count,
    updatedNumberScheduled: count,
    numberReady: count,
    numberUnavailable: count,
    failed: count,
    succeeded: count,
    active: count,
    ready: count,
    failedIndexes: text,
    currentRevision: text,
    updateRevision: text,
    conditions: list(CONDITION),
  }),
  data: object({ spec: object({ template: TEMPLATE }) }),
  revision: longCount,
});

/** A CronJob does not fit `WORKLOAD`, because its `status.active` is a list, and a Job's is a number. */
export const CRON_JOB = object({
  metadata: object(METADATA),
  spec: object({ schedule: text, suspend: flag, concurrencyPolicy: word("Allow", "Forbid", "Replace") }),
});

type Workload = ReturnType<typeof WORKLOAD.read>;

const SNAPSHOTS: { readonly [Kind in ObjectKind]?: (workload: Workload) => WorkloadSnapshot } = {
  Deployment: toDeployment,
  StatefulSet: toStatefulSet,
  DaemonSet: toDaemonSet,
  ReplicaSet: toReplicaSet,
  Job: toJob,
};

export function toWorkloadSnapshot(kind: ObjectKind, raw: unknown): WorkloadSnapshot | null {
  return SNAPSHOTS[kind]?.(WORKLOAD.read(raw, [])) ?? null;
}

/** The default of `progressDeadlineSeconds` (`SetDefaults_Deployment`, v1.37.1, pkg/apis/apps/v1/defaults.go). */
const PROGRESS_DEADLINE_SECONDS = 600;

function toDeployment({ metadata, spec, status }: Workload): DeploymentSnapshot {
  return {
    kind: "Deployment",
    name: metadata.name ?? "",
    replicas: spec.replicas ?? 1,
    updatedReplicas: status.updatedReplicas ?? 0,
    readyReplicas: status.readyReplicas ?? 0,
    availableReplicas: status.availableReplicas ?? 0,
    progressDeadlineMs: (spec.progressDeadlineSeconds ?? PROGRESS_DEADLINE_SECONDS) * 1000,
    isPaused: spec.paused === true,
    progressedAtMs: status.conditions.find(({ type }) => type === "Progressing")?.lastUpdateTime ?? null,
    conditions: conditionsIn(status),
  };
}

function conditionsIn({ conditions }: Workload["status"]) {
  return conditions.flatMap((condition) => conditionIn(condition) ?? []);
}

function toStatefulSet({ metadata, spec, status }: Workload): StatefulSetSnapshot {
  return {
    kind: "StatefulSet",
    name: metadata.name ?? "",
    replicas: spec.replicas ?? 1,
    updatedReplicas: status.updatedReplicas ?? 0,
    readyReplicas: status.readyReplicas ?? 0,
    currentRevision: status.currentRevision,
    updateRevision: status.updateRevision,
    updateStrategy: spec.updateStrategy.type ?? "RollingUpdate",
    partition: spec.updateStrategy.rollingUpdate.partition ?? 0,
    firstOrdinal: spec.ordinals.start ?? 0,
    isOrdered: spec.podManagementPolicy !== "Parallel",
  };
}

function toDaemonSet({ metadata, spec, status }: Workload): DaemonSetSnapshot {
  return {
    kind: "DaemonSet",
    name: metadata.name ?? "",
    desired: status.desiredNumberScheduled ?? 0,
    updated: status.updatedNumberScheduled ?? 0,
    ready: status.numberReady ?? 0,
    unavailable: status.numberUnavailable ?? 0,
    updateStrategy: spec.updateStrategy.type === "OnDelete" ? "OnDelete" : "RollingUpdate",
    maxUnavailable: spec.updateStrategy.rollingUpdate.maxUnavailable ?? "1",
  };
}

function toReplicaSet({ metadata, spec, status }: Workload): ReplicaSetSnapshot {
  return {
    kind: "ReplicaSet",
    name: metadata.name ?? "",
    replicas: spec.replicas ?? 1,
    readyReplicas: status.readyReplicas ?? 0,
    conditions: conditionsIn(status),
  };
}

/** The default of `backoffLimit` (`SetDefaults_Job`, v1.37.1, pkg/apis/batch/v1/defaults.go). */
const BACKOFF_LIMIT = 6;

function toJob({ metadata, spec, status }: Workload): JobSnapshot {
  const { backoffLimitPerIndex: limit, maxFailedIndexes } = spec;
  return {
    kind: "Job",
    name: metadata.name ?? "",
    backoffLimit: spec.backoffLimit ?? (limit === null ? BACKOFF_LIMIT : NO_BACKOFF_LIMIT),
    deadlineMs: spec.activeDeadlineSeconds === null ? null : spec.activeDeadlineSeconds * 1000,
    perIndex: limit === null ? null : { limit, maxFailedIndexes, failedIndexes: indexesIn(status.failedIndexes) },
    restartPolicy: spec.template.spec.restartPolicy ?? "Never",
    failed: status.failed ?? 0,
    succeeded: status.succeeded ?? 0,
    active: status.active ?? 0,
    ready: status.ready ?? 0,
    parallelism: spec.parallelism ?? 1,
    completions: spec.completions,
    conditions: conditionsIn(status),
    cronJob: null,
  };
}

function indexesIn(indexes: string | null): string | null {
  return indexes !== null && /^\d+(-\d+)?(,\d+(-\d+)?)*$/.test(indexes) ? indexes : null;
}

export function toAskedJob(raw: unknown, podCount: number): AskedJob {
  const workload = WORKLOAD.read(raw, []);
  return { namespace: workload.metadata.namespace ?? "default", job: toJob(workload), podCount };
}

export function toCronJobSnapshot(raw: unknown): CronJobSnapshot {
  const { metadata, spec } = CRON_JOB.read(raw, []);
  return {
    name: metadata.name ?? "",
    schedule: spec.schedule,
    concurrencyPolicy: spec.concurrencyPolicy ?? "Allow",
  };
}

export function revisionNumberOf(replicaSet: unknown): number {
  const { metadata } = WORKLOAD.read(replicaSet, []);
  const digits = metadata.annotations[REVISION_ANNOTATION] ?? "";
  return /^\d{1,15}$/.test(digits) ? Number(digits) : 0;
}

export function revisionsIn(
  kind: "ReplicaSet" | "ControllerRevision",
  objects: readonly unknown[],
): RevisionSnapshot[] {
  const revisions = objects.map((raw) => toRevision(kind, raw));
  return revisions.filter(({ number }) => number > 0).sort((a, b) => b.number - a.number);
}

function toRevision(kind: "ReplicaSet" | "ControllerRevision", raw: unknown): RevisionSnapshot {
  const workload = WORKLOAD.read(raw, []);
  const isReplicaSet = kind === "ReplicaSet";
  return {
    name: workload.metadata.name ?? "",
    number: isReplicaSet ? revisionNumberOf(raw) : (workload.revision ?? 0),
    createdAtMs: workload.metadata.creationTimestamp,
    isReused: workload.metadata.annotations[HISTORY_ANNOTATION] !== null,
    template: podTemplateIn(isReplicaSet ? at(raw, "spec", "template") : at(raw, "data", "spec", "template")),
  };
}
