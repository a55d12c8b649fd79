import type { Condition, RestartPolicy } from "./observation.ts";

/** A workload as its spec and status describe it. */
export type WorkloadSnapshot = DeploymentSnapshot | StatefulSetSnapshot | DaemonSetSnapshot | JobSnapshot;

/** A Deployment. */
export interface DeploymentSnapshot {
  readonly kind: "Deployment";
  readonly name: string;
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly availableReplicas: number;
  readonly progressDeadlineMs: number;
  /** `lastUpdateTime` of the condition Progressing: the deadline counts from here. */
  readonly progressedAtMs: number | null;
  readonly conditions: readonly Condition[];
}

/** A StatefulSet. */
export interface StatefulSetSnapshot {
  readonly kind: "StatefulSet";
  readonly name: string;
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly updatedReplicas: number;
  /** Names of ControllerRevisions. */
  readonly currentRevision: string | null;
  readonly updateRevision: string | null;
  readonly updateStrategy: "RollingUpdate" | "OnDelete" | "Recreate";
  /** Pods with a lower ordinal keep the current revision. */
  readonly partition: number;
  /** `podManagementPolicy: OrderedReady`, the default: nothing goes on past a pod that is not Ready. */
  readonly isOrdered: boolean;
}

/** A DaemonSet. */
export interface DaemonSetSnapshot {
  readonly kind: "DaemonSet";
  readonly name: string;
  readonly desired: number;
  readonly updated: number;
  readonly unavailable: number;
  readonly updateStrategy: "RollingUpdate" | "OnDelete";
  /** A number or a percentage. */
  readonly maxUnavailable: string;
}

/** A Job. */
export interface JobSnapshot {
  readonly kind: "Job";
  readonly name: string;
  readonly backoffLimit: number;
  /** With `backoffLimitPerIndex`, failures are counted for every index on its own; null without. */
  readonly perIndex: JobLimitPerIndex | null;
  /** The template's. */
  readonly restartPolicy: RestartPolicy;
  readonly failed: number;
  readonly succeeded: number;
  readonly active: number;
  readonly conditions: readonly Condition[];
  readonly cronJob: CronJobSnapshot | null;
}

/** What an indexed Job allows each of its indexes, and how far that is used up. */
export interface JobLimitPerIndex {
  readonly limit: number;
  /** With more failed indexes the Job fails at once; null: it goes on with those that are left. */
  readonly maxFailedIndexes: number | null;
  /** As the status has them: "1,3-5"; null: none has failed. */
  readonly failedIndexes: string | null;
}

/** The CronJob above a Job. */
export interface CronJobSnapshot {
  readonly name: string;
  readonly schedule: string | null;
  readonly suspended: boolean;
  readonly concurrencyPolicy: "Allow" | "Forbid" | "Replace";
}
