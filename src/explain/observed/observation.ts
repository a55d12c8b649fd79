import type { OwnerReference, OwnersObservation } from "./owner-observation.ts";
import type { Condition, ContainerLog, Missing, Reading, RestartPolicy, Sources } from "./reading.ts";

export type * from "./owner-observation.ts";
export type * from "./reading.ts";

/**
 * What the program read of the cluster or of files: the input of everything below `src/cluster`.
 *
 * Instants are milliseconds since 1970 UTC and end in `AtMs`; the API's timestamps have whole seconds, truncated. `null`
 * means "the API did not say", also for made-up values (a `startedAt` of 1970-01-01 becomes `null`).
 */
export interface Observation extends Now {
  readonly pods: readonly PodObservation[];
}

/** "Now": the moment that is explained, and where that instant is from. */
export interface Now {
  readonly atMs: number;
  readonly atBasis: AtBasis;
}

/** --at, the API server's Date header, the local clock, the newest timestamp of old input, or a recording. */
export type AtBasis = "flag" | "server-clock" | "local-clock" | "newest-input" | "recording";

/** One pod, and all other objects that were read and affect its restarts. */
export interface PodObservation extends Sources {
  /** The newest state of the pod. */
  readonly pod: PodSnapshot;
  /** Older versions of the same pod (same UID), oldest first; empty for a single snapshot. */
  readonly earlier: readonly PodSnapshot[];
  /** The pod's events, in any order. */
  readonly events: readonly EventSnapshot[];
  readonly node: NodeSnapshot | null;
  /** All pods of the node, this one among them; left out if they were not read. */
  readonly neighbours?: readonly PodSnapshot[];
  /** Events of the Node object. */
  readonly nodeEvents: readonly EventSnapshot[];
  /** The configuration that the node's kubelet serves (/configz). */
  readonly kubeletConfig: KubeletConfig | null;
  readonly missing: readonly Missing[];
  /** Left out for a pod without a controller, or if the program did not look for owners. */
  readonly owners?: OwnersObservation;
  /** The logs of its failing containers; left out if the program has not requested them. */
  readonly logs?: readonly ContainerLog[];
  /** The Deployment or CronJob inferred from names, else the controller; only in lists, which read no owners. */
  readonly workload?: OwnerReference | null;
}

/** One version of a Pod object. */
export interface PodSnapshot extends Reading {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | null;
  readonly generation: number | null;
  readonly createdAtMs: number | null;
  /** `metadata.deletionTimestamp`: when the grace period ends. The API server sets it as soon as it accepts the deletion. */
  readonly deletionAtMs: number | null;
  /** `metadata.finalizers`: a deleted pod stays in the API until they are removed. */
  readonly finalizers: readonly string[];
  /** `metadata.deletionTimestamp` less `deletionGracePeriodSeconds`. */
  readonly deletionRequestedAtMs: number | null;
  /** The controlling owner. */
  readonly owner: OwnerReference | null;
  readonly nodeName: string | null;
  readonly restartPolicy: RestartPolicy;
  readonly gracePeriodMs: number;
  readonly hostNetwork: boolean;
  /** `spec.resources.limits.memory`, of all containers together. */
  readonly memoryLimit: string | null;
  readonly podIP: string | null;
  readonly phase: string | null;
  readonly reason: string | null;
  readonly message: string | null;
  /** `status.startTime`: when the kubelet accepted the pod. */
  readonly startedAtMs: number | null;
  readonly conditions: readonly Condition[];
  /** From the spec, init containers and sidecars first, in the pod's order; containers that only the status lists come last. */
  readonly containers: readonly ContainerSpec[];
  /** From the status, same names as `containers`; may be empty or partial. */
  readonly statuses: readonly ContainerStatus[];
}

/** One Event object (core/v1 or events.k8s.io/v1). */
export interface EventSnapshot extends Reading {
  readonly name: string;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** From `involvedObject.fieldPath`, e.g. `spec.containers{app}` → "app"; null if the event is about the whole object. */
  readonly container: string | null;
  /** `metadata.creationTimestamp`, by the API server's clock; the other instants are by the reporter's. */
  readonly createdAtMs: number | null;
  /** How often, as counted by the aggregation: a lower bound. */
  readonly count: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
}

export interface NodeSnapshot extends Reading {
  readonly name: string;
  readonly uid: string | null;
  /** `status.nodeInfo.kubeletVersion`, e.g. "v1.37.1". */
  readonly kubeletVersion: string | null;
  /** `status.nodeInfo.architecture`, e.g. "arm64". */
  readonly architecture?: string;
  readonly conditions: readonly Condition[];
}

/** The part of a kubelet's configuration that affects restarts. */
export interface KubeletConfig extends Reading {
  /** `crashLoopBackOff.maxContainerRestartPeriod`. */
  readonly maxContainerRestartPeriodMs: number | null;
  /** Only gates that the configuration sets; the others have the version's default. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** `syncFrequency`, the resync interval. */
  readonly syncFrequencyMs: number | null;
}

/** sidecar: an init container with restartPolicy Always. */
export type ContainerType = "app" | "init" | "sidecar" | "ephemeral";

/** A container as the pod's spec describes it. */
export interface ContainerSpec {
  readonly name: string;
  readonly type: ContainerType;
  readonly image: string;
  readonly imagePullPolicy: string | null;
  /** The container's own restart policy, if it has one (ContainerRestartRules; Always on sidecars). */
  readonly restartPolicy: RestartPolicy | null;
  readonly restartPolicyRules: readonly RestartRule[];
  readonly livenessProbe: Probe | null;
  readonly startupProbe: Probe | null;
  readonly readinessProbe: Probe | null;
  readonly hasPostStart: boolean;
  /** `command` and `args` in one line; left out if the spec has none, so that the image decides. */
  readonly command?: string;
  /** `resources.limits.memory`, e.g. "64Mi". */
  readonly memoryLimit: string | null;
  /** The spec does not list the container: everything here is from its status or assumed. */
  readonly isFromStatus?: true;
}

/** `restartPolicyRules[]`: the first rule whose exit codes match decides. */
export interface RestartRule {
  readonly action: "Restart" | "RestartAllContainers";
  readonly operator: "In" | "NotIn";
  readonly exitCodes: readonly number[];
}

/** A probe with the API's defaults filled in. */
export interface Probe {
  readonly initialDelayMs: number;
  readonly periodMs: number;
  readonly timeoutMs: number;
  readonly failureThreshold: number;
  /** The probe's own grace period, if it overrides the pod's. */
  readonly gracePeriodMs: number | null;
  /** The probe's request in short: "GET :8080/healthz", "TCP :5432", "cat /tmp/healthy". */
  readonly request?: string;
}

/** A container as the pod's status reports it. */
export interface ContainerStatus {
  readonly name: string;
  readonly restartCount: number;
  /** The id of the instance that `state` is about; null if there is none yet. */
  readonly containerID: string | null;
  readonly image: string | null;
  readonly imageID: string | null;
  readonly started: boolean | null;
  readonly ready: boolean;
  readonly state: ContainerState | null;
  /** The instance before, as far as the kubelet still reports it; on ≥ 1.36 it may be the same instance as `state`. */
  readonly lastState: TerminatedState | null;
}

export type ContainerState = WaitingState | RunningState | TerminatedState;

/** No instance runs, and the reason is not an exit that is reported here. */
export interface WaitingState {
  readonly kind: "waiting";
  readonly reason: string | null;
  readonly message: string | null;
}

export interface RunningState {
  readonly kind: "running";
  readonly startedAtMs: number | null;
}

/** How one instance ended. */
export interface TerminatedState {
  readonly kind: "terminated";
  readonly exitCode: number;
  readonly signal: number | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly containerID: string | null;
}

/** How the observed pods were chosen among the pods that the user's targets match. */
export interface Selection {
  /** The number of pods that the targets match. */
  readonly matched: number;
  /** The number of pods that were left out because they look fine. */
  readonly leftOutFine: number;
  /** The number of pods in trouble that were left out because there are too many. */
  readonly leftOutInTrouble: number;
  /** `NAMESPACE/NAME` of the pods that the user asked for by name. */
  readonly named: readonly string[];
}
