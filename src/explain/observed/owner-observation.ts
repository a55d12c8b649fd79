import type { RestartPolicy } from "../../kubelet/restart-policy.ts";
import type { Condition, Missing, Reading, Sources } from "./reading.ts";

export interface OwnerReference {
  readonly kind: string;
  readonly name: string;
}

export interface OwnersObservation extends Reading, Sources {
  /** The pod's controller comes first, the highest owner last. */
  readonly chain: readonly OwnerLink[];
  /** If set, the highest owner that the program could read, except a CronJob. */
  readonly workload: WorkloadSnapshot | null;
  /** The highest number comes first. */
  readonly revisions: readonly RevisionSnapshot[];
  /** If the program could read no owner, has at most the pods that have the observed pod's revision. */
  readonly pods: readonly OwnedPod[];
  readonly missing: readonly OwnerMissing[];
}

/** "inferred": e.g. a Deployment from the name of its ReplicaSet. */
export interface OwnerLink extends OwnerReference {
  readonly basis: "observed" | "inferred";
}

export interface OwnerMissing {
  readonly what: "owner" | "revisions" | "owned-pods";
  readonly owner: OwnerReference;
  readonly why: Missing["why"];
}

export interface RevisionSnapshot {
  readonly name: string;
  /** A rollback gives an old template a new number. */
  readonly number: number;
  readonly createdAtMs: number | null;
  /** Whether the revision is a ReplicaSet that had another number before, as after a rollback of its Deployment. */
  readonly isReused: boolean;
  readonly template: PodTemplate;
}

/** Leaves out the API's defaults, as far as the program knows them. */
export interface PodTemplate {
  readonly containers: readonly TemplateContainer[];
  /** Keyed by path, e.g. "serviceAccountName", or "volume data" for a volume with the name data. */
  readonly settings: ReadonlyMap<string, TemplateValue>;
  readonly annotations: ReadonlyMap<string, string>;
  /** False without containers, or if a container has only a name and an image, as in a redacted copy. */
  readonly isComplete: boolean;
}

export interface TemplateContainer {
  readonly name: string;
  readonly type: "init" | "sidecar" | "app";
  readonly image: string;
  /** Keyed by path, e.g. "livenessProbe.httpGet.path", or "env DB_HOST" for a variable. */
  readonly settings: ReadonlyMap<string, TemplateValue>;
}

/**
 * The `text` of a "reference" says where the value comes from, e.g. "secret db key password". The `text` of an "opaque"
 * value is JSON for comparison, not to be printed.
 */
export interface TemplateValue {
  readonly kind: "literal" | "reference" | "opaque";
  readonly text: string;
}

export interface OwnedPod {
  readonly name: string;
  /** The name of the pod's ReplicaSet or ControllerRevision. */
  readonly revision: string | null;
  readonly phase: string | null;
  readonly isReady: boolean;
  readonly createdAtMs: number | null;
  readonly readySinceMs: number | null;
  readonly restarts: number;
  readonly images: readonly { readonly container: string; readonly image: string; readonly imageID: string }[];
  /** When the last of the app containers and sidecars ended. Null unless it is known when each of them ended. */
  readonly finishedAtMs: number | null;
  /** Set only for the pods of a Job with a backoffLimitPerIndex. */
  readonly ofIndex?: {
    readonly index: number;
    readonly failures: number;
    /** Failures that a podFailurePolicy ignores. They lengthen the back-off, but do not count against the limit. */
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
  readonly isPaused: boolean;
  /** `lastUpdateTime` of the condition Progressing, from which the progress deadline counts. */
  readonly progressedAtMs: number | null;
  readonly conditions: readonly Condition[];
}

export interface StatefulSetSnapshot {
  readonly kind: "StatefulSet";
  readonly name: string;
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  /** A ControllerRevision, e.g. of the pods that a rolling update has not reached. */
  readonly currentRevision: string | null;
  readonly updateRevision: string | null;
  readonly updateStrategy: "RollingUpdate" | "OnDelete" | "Recreate";
  readonly partition: number;
  /** `spec.ordinals.start`, from which the controller counts `partition`. */
  readonly firstOrdinal: number;
  /** Whether `podManagementPolicy` is OrderedReady, the default. */
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

/**
 * The default of `backoffLimit` for a Job with a limit per index (`SetDefaults_Job`, v1.37.1,
 * pkg/apis/batch/v1/defaults.go).
 */
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
  /** The Job fails as soon as more indexes than this have failed. Null: no limit. */
  readonly maxFailedIndexes: number | null;
  /** As in the Job's status, e.g. "1,3-5". */
  readonly failedIndexes: string | null;
}

export interface CronJobSnapshot {
  readonly name: string;
  readonly schedule: string | null;
  readonly concurrencyPolicy: "Allow" | "Forbid" | "Replace";
}
