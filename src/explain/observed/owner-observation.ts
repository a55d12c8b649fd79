import type { Condition, Missing, Reading, RestartPolicy, Sources } from "./reading.ts";

/** The object that manages the pod, e.g. a ReplicaSet. */
export interface OwnerReference {
  readonly kind: string;
  readonly name: string;
}

/** The owners of a pod, as far as they were read. */
export interface OwnersObservation extends Reading, Sources {
  /** The pod's own controller first, then the controller of that controller. */
  readonly chain: readonly OwnerLink[];
  /** The object that creates the pods: the top of the chain, or the Job below a CronJob; null if it was not read. */
  readonly workload: WorkloadSnapshot | null;
  /** The workload's revisions, the newest first; empty for a Job. */
  readonly revisions: readonly RevisionSnapshot[];
  /** The workload's pods as far as they were read, the explained pod among them. */
  readonly pods: readonly OwnedPod[];
  readonly missing: readonly OwnerMissing[];
}

/** One step up from a pod; inferred: from the pod's name, because no object says so. */
export interface OwnerLink extends OwnerReference {
  readonly basis: "seen" | "inferred";
}

/** Data on an owner that the program wanted to read, and why it could not. */
export interface OwnerMissing {
  readonly what: "owner" | "revisions" | "owned-pods";
  /** The owner itself, or the owner of the revisions or pods. */
  readonly owner: OwnerReference;
  readonly why: Missing["why"];
}

/** One template that a workload has had: a ReplicaSet of a Deployment, a ControllerRevision of the others. */
export interface RevisionSnapshot {
  readonly name: string;
  /** Counts from 1. A rollback of a Deployment gives an old template a new number. */
  readonly number: number;
  readonly createdAtMs: number | null;
  readonly images: readonly { readonly container: string; readonly image: string }[];
  /** The template's other settings as JSON, by name: "livenessProbe of app", "volumes". They are compared, and never shown. */
  readonly settings: ReadonlyMap<string, string>;
}

export interface OwnedPod {
  readonly name: string;
  /** The name of its RevisionSnapshot. */
  readonly revision: string | null;
  readonly phase: string | null;
  readonly isReady: boolean;
  /** Of init and app containers together. */
  readonly restarts: number;
  /** When the last of its containers ended; null while one of them may still run. */
  readonly finishedAtMs: number | null;
  /** The index that the pod works on, if its Job has a limit per index. */
  readonly ofIndex?: {
    readonly index: number;
    /** Failures of earlier pods of the index that count against the limit. */
    readonly failures: number;
    /** Failures that a podFailurePolicy ignores: they only lengthen the back-off. */
    readonly ignoredFailures: number;
  };
}

export type WorkloadSnapshot = DeploymentSnapshot | StatefulSetSnapshot | DaemonSetSnapshot | JobSnapshot;

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

export interface StatefulSetSnapshot {
  readonly kind: "StatefulSet";
  readonly name: string;
  readonly replicas: number;
  readonly updatedReplicas: number;
  /** The name of a ControllerRevision, as is `updateRevision`. */
  readonly currentRevision: string | null;
  readonly updateRevision: string | null;
  readonly updateStrategy: "RollingUpdate" | "OnDelete" | "Recreate";
  /** Pods with a lower ordinal keep the current revision. */
  readonly partition: number;
  /** `podManagementPolicy: OrderedReady`, the default: the controller does nothing past a pod that is not Ready. */
  readonly isOrdered: boolean;
}

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

export interface JobSnapshot {
  readonly kind: "Job";
  readonly name: string;
  readonly backoffLimit: number;
  /** Null without `backoffLimitPerIndex`. */
  readonly perIndex: JobLimitPerIndex | null;
  /** Of the pod template. */
  readonly restartPolicy: RestartPolicy;
  readonly failed: number;
  readonly succeeded: number;
  readonly active: number;
  readonly conditions: readonly Condition[];
  readonly cronJob: CronJobSnapshot | null;
}

/** How many failures an indexed Job allows each of its indexes, and which have exceeded that. */
export interface JobLimitPerIndex {
  readonly limit: number;
  /** If more indexes fail, the Job fails immediately; null: the other indexes go on. */
  readonly maxFailedIndexes: number | null;
  /** In the status' notation, e.g. "1,3-5"; null: none has failed. */
  readonly failedIndexes: string | null;
}

export interface CronJobSnapshot {
  readonly name: string;
  readonly schedule: string | null;
  readonly concurrencyPolicy: "Allow" | "Forbid" | "Replace";
}
