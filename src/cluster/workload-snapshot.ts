import type {
  CronJobSnapshot,
  DaemonSetSnapshot,
  DeploymentSnapshot,
  JobSnapshot,
  StatefulSetSnapshot,
  WorkloadSnapshot,
} from "../explain/observed/observation.ts";
import { conditionsOf } from "./conditions.ts";
import { restartPolicyOf } from "./container-spec.ts";
import { isPercentage } from "./object-shapes.ts";
import { nameOf } from "./owner-reference.ts";
import { instantOf } from "./timestamp.ts";
import { at, countOf, objectsOf, oneOf, textOf } from "./untrusted.ts";
import type { ObjectKind } from "./workload-kinds.ts";

/** A workload object as the API prints it, with the API's defaults; null for a kind that says nothing of its pods' fate. */
export function toWorkloadSnapshot(kind: ObjectKind, raw: unknown): WorkloadSnapshot | null {
  switch (kind) {
    case "Deployment":
      return toDeployment(raw);
    case "StatefulSet":
      return toStatefulSet(raw);
    case "DaemonSet":
      return toDaemonSet(raw);
    case "Job":
      return toJob(raw);
    default:
      return null;
  }
}

/** `SetDefaults_Deployment` (v1.37.1, pkg/apis/apps/v1/defaults.go): 600 s. */
const PROGRESS_DEADLINE_SECONDS = 600;

function toDeployment(raw: unknown): DeploymentSnapshot {
  const status = at(raw, "status");
  const progressing = objectsOf(at(status, "conditions")).find((condition) => at(condition, "type") === "Progressing");
  return {
    kind: "Deployment",
    name: nameOf(raw),
    replicas: countOf(at(raw, "spec", "replicas")) ?? 1,
    updatedReplicas: countOf(at(status, "updatedReplicas")) ?? 0,
    availableReplicas: countOf(at(status, "availableReplicas")) ?? 0,
    progressDeadlineMs: (countOf(at(raw, "spec", "progressDeadlineSeconds")) ?? PROGRESS_DEADLINE_SECONDS) * 1000,
    progressedAtMs: instantOf(at(progressing, "lastUpdateTime")),
    conditions: conditionsOf(status),
  };
}

function toStatefulSet(raw: unknown): StatefulSetSnapshot {
  const spec = at(raw, "spec");
  const status = at(raw, "status");
  const strategy = oneOf(at(spec, "updateStrategy", "type"), ["OnDelete", "Recreate"]);
  return {
    kind: "StatefulSet",
    name: nameOf(raw),
    replicas: countOf(at(spec, "replicas")) ?? 1,
    readyReplicas: countOf(at(status, "readyReplicas")) ?? 0,
    updatedReplicas: countOf(at(status, "updatedReplicas")) ?? 0,
    currentRevision: textOf(at(status, "currentRevision")),
    updateRevision: textOf(at(status, "updateRevision")),
    updateStrategy: strategy ?? "RollingUpdate",
    partition: countOf(at(spec, "updateStrategy", "rollingUpdate", "partition")) ?? 0,
    isOrdered: at(spec, "podManagementPolicy") !== "Parallel",
  };
}

function toDaemonSet(raw: unknown): DaemonSetSnapshot {
  const strategy = at(raw, "spec", "updateStrategy");
  const status = at(raw, "status");
  return {
    kind: "DaemonSet",
    name: nameOf(raw),
    desired: countOf(at(status, "desiredNumberScheduled")) ?? 0,
    updated: countOf(at(status, "updatedNumberScheduled")) ?? 0,
    unavailable: countOf(at(status, "numberUnavailable")) ?? 0,
    updateStrategy: oneOf(at(strategy, "type"), ["OnDelete"]) ?? "RollingUpdate",
    maxUnavailable: countOrShare(at(strategy, "rollingUpdate", "maxUnavailable")) ?? "1",
  };
}

/** A number of pods or a percentage of them, as text; null for anything else. */
function countOrShare(value: unknown): string | null {
  const count = countOf(value);
  if (count !== null) return String(count);
  return isPercentage(value) ? String(value) : null;
}

/** `SetDefaults_Job` (v1.37.1, pkg/apis/batch/v1/defaults.go): 6, and with a limit per index as good as none. */
const BACKOFF_LIMIT = 6;
const NO_BACKOFF_LIMIT = 2 ** 31 - 1;

function toJob(raw: unknown): JobSnapshot {
  const spec = at(raw, "spec");
  const status = at(raw, "status");
  const limit = countOf(at(spec, "backoffLimitPerIndex"));
  const maxFailedIndexes = countOf(at(spec, "maxFailedIndexes"));
  const failedIndexes = indexesIn(at(status, "failedIndexes"));
  return {
    kind: "Job",
    name: nameOf(raw),
    backoffLimit: countOf(at(spec, "backoffLimit")) ?? (limit === null ? BACKOFF_LIMIT : NO_BACKOFF_LIMIT),
    perIndex: limit === null ? null : { limit, maxFailedIndexes, failedIndexes },
    restartPolicy: restartPolicyOf(at(spec, "template", "spec", "restartPolicy")) ?? "Never",
    failed: countOf(at(status, "failed")) ?? 0,
    succeeded: countOf(at(status, "succeeded")) ?? 0,
    active: countOf(at(status, "active")) ?? 0,
    conditions: conditionsOf(status),
    cronJob: null,
  };
}

/** "1,3-5"; null for none, and for anything else. */
function indexesIn(value: unknown): string | null {
  return typeof value === "string" && /^\d+(-\d+)?(,\d+(-\d+)?)*$/.test(value) ? value : null;
}

/** A CronJob object as the API prints it. */
export function toCronJobSnapshot(raw: unknown): CronJobSnapshot {
  return {
    name: nameOf(raw),
    schedule: textOf(at(raw, "spec", "schedule")),
    suspended: at(raw, "spec", "suspend") === true,
    concurrencyPolicy: oneOf(at(raw, "spec", "concurrencyPolicy"), ["Forbid", "Replace"]) ?? "Allow",
  };
}
