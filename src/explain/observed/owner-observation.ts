import type { Condition, Missing, Reading, RestartPolicy, Sources } from "./reading.ts";

export interface OwnerReference {
  readonly kind: string;
  readonly name: string;
}

export interface OwnersObservation extends Reading, Sources {
  /** The pod's own controller first, then the controller of that controller. */
  readonly chain: readonly OwnerLink[];
  /** The highest owner in `chain` that was read and is no CronJob, e.g. a Deployment or Job; null if none was read. */
  readonly workload: WorkloadSnapshot | null;
  /** The workload's revisions, the highest number first; empty for a Job or ReplicaSet, and if they were not read. */
  readonly revisions: readonly RevisionSnapshot[];
  /** The workload's pods, including the explained pod; if no owner was read, the pods of the same revision. */
  readonly pods: readonly OwnedPod[];
  readonly missing: readonly OwnerMissing[];
}

/** An owner in the chain above a pod. "observed": an owner reference names it. "inferred": the program infers its name. */
export interface OwnerLink extends OwnerReference {
  readonly basis: "observed" | "inferred";
}

export interface OwnerMissing {
  readonly what: "owner" | "revisions" | "owned-pods";
  /** The owner that was not read, or whose revisions or pods were not read. */
  readonly owner: OwnerReference;
  readonly why: Missing["why"];
}

export interface RevisionSnapshot {
  readonly name: string;
  /** Counts from 1. A rollback of a Deployment gives an old template a new number. */
  readonly number: number;
  readonly createdAtMs: number | null;
  /** Whether a rollback of the Deployment made this template current again, after `createdAtMs`. */
  readonly isReused: boolean;
  readonly template: PodTemplate;
}

/** What a pod template sets, without what the API server fills in by default. */
export interface PodTemplate {
  /** Init containers and sidecars first. */
  readonly containers: readonly TemplateContainer[];
  /** The settings of the pod itself, e.g. "serviceAccountName", or "volume data" for the volume of that name. */
  readonly settings: ReadonlyMap<string, TemplateValue>;
  readonly annotations: ReadonlyMap<string, string>;
  /** False for a redacted copy, which has no settings besides names and images. */
  readonly isComplete: boolean;
}

export interface TemplateContainer {
  readonly name: string;
  readonly type: "init" | "sidecar" | "app";
  readonly image: string;
  /**
   * The settings except the image, e.g. "livenessProbe.httpGet.path", or "env DB_HOST" for the variable of that name.
   */
  readonly settings: ReadonlyMap<string, TemplateValue>;
}

/**
 * A setting's value, which may be secret. "literal": the value itself. "reference": where the value comes from, e.g.
 * "secret db key password". "opaque": JSON, to compare and not to print.
 */
export interface TemplateValue {
  readonly kind: "literal" | "reference" | "opaque";
  readonly text: string;
}

export interface OwnedPod {
  readonly name: string;
  /** The name of a RevisionSnapshot; null if unknown. */
  readonly revision: string | null;
  readonly phase: string | null;
  readonly isReady: boolean;
  readonly createdAtMs: number | null;
  /** When the pod became Ready, if it is Ready now. */
  readonly readySinceMs: number | null;
  readonly restarts: number;
  /** For each app container with an image ID in its status: its image, and the ID, which can contain a digest. */
  readonly images: readonly { readonly container: string; readonly image: string; readonly imageID: string }[];
  /** When the last of the pod's app containers ended; null if this is unknown for one of them, e.g. because it runs. */
  readonly finishedAtMs: number | null;
  /** The index of the Job that the pod works on; left out if the Job has no limit per index. */
  readonly ofIndex?: {
    readonly index: number;
    /** The failures of earlier pods with this index that count against the Job's limit. */
    readonly failures: number;
    /** Failures that a podFailurePolicy ignores. They only lengthen the back-off. */
    readonly ignoredFailures: number;
  };
}

export type WorkloadSnapshot =
  | DeploymentSnapshot
  | StatefulSetSnapshot
  | DaemonSetSnapshot
  | ReplicaSetSnapshot
  | JobSnapshot;

export interface DeploymentSnapshot {
  readonly kind: "Deployment";
  readonly name: string;
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly progressDeadlineMs: number;
  /** While paused, a Deployment takes changes of its template, and rolls none out. */
  readonly isPaused: boolean;
  /** `lastUpdateTime` of the condition Progressing: the progress deadline counts from this instant. */
  readonly progressedAtMs: number | null;
  readonly conditions: readonly Condition[];
}

export interface StatefulSetSnapshot {
  readonly kind: "StatefulSet";
  readonly name: string;
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  /** The name of the ControllerRevision of the pods that a rolling update has not reached. */
  readonly currentRevision: string | null;
  readonly updateRevision: string | null;
  readonly updateStrategy: "RollingUpdate" | "OnDelete" | "Recreate";
  /** A rolling update leaves pods with an ordinal below this at `currentRevision`. */
  readonly partition: number;
  /** Whether `podManagementPolicy` is OrderedReady, the default: the controller then waits for a pod to be Ready. */
  readonly isOrdered: boolean;
}

export interface DaemonSetSnapshot {
  readonly kind: "DaemonSet";
  readonly name: string;
  readonly desired: number;
  readonly updated: number;
  readonly ready: number;
  readonly unavailable: number;
  readonly updateStrategy: "RollingUpdate" | "OnDelete";
  readonly maxUnavailable: string;
}

export interface ReplicaSetSnapshot {
  readonly kind: "ReplicaSet";
  readonly name: string;
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly conditions: readonly Condition[];
}

/** The default of `backoffLimit` with a limit per index (`SetDefaults_Job`, v1.37.1, pkg/apis/batch/v1/defaults.go). */
export const NO_BACKOFF_LIMIT = 2 ** 31 - 1;

export interface JobSnapshot {
  readonly kind: "Job";
  readonly name: string;
  readonly backoffLimit: number;
  readonly deadlineMs: number | null;
  readonly perIndex: JobLimitPerIndex | null;
  readonly restartPolicy: RestartPolicy;
  readonly failed: number;
  readonly succeeded: number;
  readonly active: number;
  /** The number of `active` pods that are Ready. */
  readonly ready: number;
  readonly parallelism: number;
  /** Null: the Job is complete as soon as one pod has succeeded and the others have ended. */
  readonly completions: number | null;
  readonly conditions: readonly Condition[];
  readonly cronJob: CronJobSnapshot | null;
}

export interface AskedJob {
  readonly namespace: string;
  readonly job: JobSnapshot;
  readonly podCount: number;
}

export interface JobLimitPerIndex {
  readonly limit: number;
  /** The Job fails immediately if more indexes than this have failed. Null: the other indexes continue. */
  readonly maxFailedIndexes: number | null;
  /** The failed indexes as the Job's status writes them, e.g. "1,3-5"; null if none has failed. */
  readonly failedIndexes: string | null;
}

export interface CronJobSnapshot {
  readonly name: string;
  readonly schedule: string | null;
  readonly concurrencyPolicy: "Allow" | "Forbid" | "Replace";
}
