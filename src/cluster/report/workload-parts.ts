import type {
  Condition,
  DaemonSetSnapshot,
  DeploymentSnapshot,
  JobSnapshot,
  StatefulSetSnapshot,
  WorkloadSnapshot,
} from "../../explain/observed/observation.ts";
import { conditionObject, timeOf } from "./condition-object.ts";

/** The inverse of `toWorkloadSnapshot`, but for the metadata; its selector finds what has the workload's name as label `app`. */
export function workloadParts(workload: WorkloadSnapshot): Parts {
  const { spec, status } = partsOf(workload);
  return { spec: { selector: { matchLabels: { app: workload.name } }, ...spec }, status };
}

interface Parts {
  readonly spec: object;
  readonly status: object;
}

function partsOf(workload: WorkloadSnapshot): Parts {
  switch (workload.kind) {
    case "Deployment":
      return ofDeployment(workload);
    case "StatefulSet":
      return ofStatefulSet(workload);
    case "DaemonSet":
      return ofDaemonSet(workload);
    case "Job":
      return ofJob(workload);
  }
}

function ofDeployment(deployment: DeploymentSnapshot): Parts {
  const { replicas, updatedReplicas, availableReplicas, progressDeadlineMs, progressedAtMs } = deployment;
  const conditions = deployment.conditions.map((condition) => deploymentCondition(condition, progressedAtMs));
  return {
    spec: { replicas, progressDeadlineSeconds: progressDeadlineMs / 1000 },
    status: { updatedReplicas, availableReplicas, conditions },
  };
}

/** The deadline of a rollout counts from the last update of this condition. */
function deploymentCondition(condition: Condition, progressedAtMs: number | null): object {
  const lastUpdateTime = condition.type === "Progressing" ? timeOf(progressedAtMs) : undefined;
  return { ...conditionObject(condition), lastUpdateTime };
}

function ofStatefulSet(set: StatefulSetSnapshot): Parts {
  const { replicas, readyReplicas, updatedReplicas, updateStrategy: type, partition, isOrdered } = set;
  const currentRevision = set.currentRevision ?? undefined;
  const updateRevision = set.updateRevision ?? undefined;
  const updateStrategy = { type, rollingUpdate: { partition } };
  return {
    spec: { replicas, updateStrategy, podManagementPolicy: isOrdered ? "OrderedReady" : "Parallel" },
    status: { readyReplicas, updatedReplicas, currentRevision, updateRevision },
  };
}

function ofDaemonSet({
  desired,
  updated,
  unavailable,
  updateStrategy: type,
  maxUnavailable,
}: DaemonSetSnapshot): Parts {
  // A number, or a percentage as a string.
  const most = maxUnavailable.endsWith("%") ? maxUnavailable : Number(maxUnavailable);
  return {
    spec: { updateStrategy: { type, rollingUpdate: { maxUnavailable: most } } },
    status: { desiredNumberScheduled: desired, updatedNumberScheduled: updated, numberUnavailable: unavailable },
  };
}

function ofJob({ backoffLimit, perIndex, restartPolicy, failed, succeeded, active, conditions }: JobSnapshot): Parts {
  const limits = {
    backoffLimitPerIndex: perIndex?.limit,
    maxFailedIndexes: perIndex?.maxFailedIndexes ?? undefined,
  };
  const failedIndexes = perIndex?.failedIndexes ?? undefined;
  return {
    spec: { backoffLimit, ...limits, template: { spec: { restartPolicy } } },
    status: { failed, succeeded, active, failedIndexes, conditions: conditions.map(conditionObject) },
  };
}
