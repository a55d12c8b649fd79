import type { Condition, Missing, Reading, RestartPolicy, Sources } from "./reading.ts";

/** The object that manages the pod, e.g. a ReplicaSet. */
export interface OwnerReference {
  readonly kind: string;
  readonly name: string;
}

/** The objects above a pod, as far as they were seen. */
export interface OwnersObservation extends Reading, Sources {
  /** The pod's own controller first, then that one's. */
  readonly chain: readonly OwnerLink[];
  /** The object that decides which pods there are: the top of the chain, or the Job below a CronJob; null if it was not seen. */
  readonly workload: WorkloadSnapshot | null;
  /** The workload's revisions, the newest first; empty for a Job. */
  readonly revisions: readonly RevisionSnapshot[];
  /** The workload's pods as far as they were seen, the one that is explained among them. */
  readonly pods: readonly OwnedPod[];
  readonly missing: readonly OwnerMissing[];
}

/** One step up from a pod; inferred: from its name, for no object says so. */
export interface OwnerLink extends OwnerReference {
  readonly basis: "seen" | "inferred";
}

/** Something of the owners that was asked for and not had. */
export interface OwnerMissing {
  readonly what: "owner" | "revisions" | "owned-pods";
  /** The owner, or whose revisions and pods. */
  readonly owner: OwnerReference;
  readonly why: Missing["why"];
}

/** One template that a workload has had: a ReplicaSet of a Deployment, a ControllerRevision of the others. */
export interface RevisionSnapshot {
  readonly name: string;
  /** Counts from 1; of a Deployment, a rollback gives an old template a new number. */
  readonly number: number;
  readonly createdAtMs: number | null;
  readonly images: readonly ContainerImage[];
  /** The template's other settings as JSON, by name: "livenessProbe of app", "volumes". They are compared, and never shown. */
  readonly settings: ReadonlyMap<string, string>;
}

/** The image that a template gives a container. */
interface ContainerImage {
  readonly container: string;
  readonly image: string;
}

/** A pod of a workload, in numbers. */
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
  /** Of an indexed Job with a limit per index. */
  readonly ofIndex?: PodOfIndex;
}

/** Which index of an indexed Job a pod works on, and how often earlier pods of that index failed. */
interface PodOfIndex {
  readonly index: number;
  /** Those that count. */
  readonly failures: number;
  /** Those that a podFailurePolicy ignores: they count for the back-off only. */
  readonly ignoredFailures: number;
}

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
