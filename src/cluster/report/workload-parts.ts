import type { Condition, WorkloadSnapshot } from "../../explain/observation.ts";
import { conditionObject, timeOf } from "./condition-object.ts";

/** The inverse of `toWorkloadSnapshot`, but for the metadata; its selector finds what has the workload's name as label `app`. */
export function workloadParts(workload: WorkloadSnapshot): { readonly spec: object; readonly status: object } {
  const selector = { matchLabels: { app: workload.name } };
  switch (workload.kind) {
    case "Deployment": {
      const { replicas, updatedReplicas, availableReplicas, progressDeadlineMs, progressedAtMs } = workload;
      const conditions = workload.conditions.map((condition) => deploymentCondition(condition, progressedAtMs));
      return {
        spec: { selector, replicas, progressDeadlineSeconds: progressDeadlineMs / 1000 },
        status: { updatedReplicas, availableReplicas, conditions },
      };
    }
    case "StatefulSet": {
      const { replicas, readyReplicas, updatedReplicas, updateStrategy: type, partition, isOrdered } = workload;
      const { currentRevision, updateRevision } = workload;
      const updateStrategy = { type, rollingUpdate: { partition } };
      return {
        spec: { selector, replicas, updateStrategy, podManagementPolicy: isOrdered ? "OrderedReady" : "Parallel" },
        status: {
          readyReplicas,
          updatedReplicas,
          currentRevision: currentRevision ?? undefined,
          updateRevision: updateRevision ?? undefined,
        },
      };
    }
    case "DaemonSet": {
      const { desired, updated, unavailable, updateStrategy: type } = workload;
      // A number, or a percentage as a string.
      const maxUnavailable = workload.maxUnavailable.endsWith("%")
        ? workload.maxUnavailable
        : Number(workload.maxUnavailable);
      return {
        spec: { selector, updateStrategy: { type, rollingUpdate: { maxUnavailable } } },
        status: {
          desiredNumberScheduled: desired,
          updatedNumberScheduled: updated,
          numberUnavailable: unavailable,
        },
      };
    }
    case "Job": {
      const { backoffLimit, perIndex, restartPolicy, failed, succeeded, active, conditions } = workload;
      const limits = {
        backoffLimitPerIndex: perIndex?.limit,
        maxFailedIndexes: perIndex?.maxFailedIndexes ?? undefined,
      };
      const failedIndexes = perIndex?.failedIndexes ?? undefined;
      return {
        spec: { selector, backoffLimit, ...limits, template: { spec: { restartPolicy } } },
        status: { failed, succeeded, active, failedIndexes, conditions: conditions.map(conditionObject) },
      };
    }
  }
}

/** The deadline of a rollout counts from the last update of this condition. */
function deploymentCondition(condition: Condition, progressedAtMs: number | null): object {
  const lastUpdateTime = condition.type === "Progressing" ? timeOf(progressedAtMs) : undefined;
  return { ...conditionObject(condition), lastUpdateTime };
}
