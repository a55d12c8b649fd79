import type { ConfigSource, ContainerSpec, ContainerStatus } from "./container.ts";
import type { Address } from "./needed-addresses.ts";
import type { AskedJob, OwnerReference, OwnersObservation } from "./owner-observation.ts";
import type { Condition, ContainerLog, Missing, Reading, RestartPolicy, Sources } from "./reading.ts";

export type * from "./container.ts";
export type * from "./owner-observation.ts";
export type * from "./reading.ts";

/**
 * What the program read from the cluster or from files: the input of `src/explain`.
 *
 * Fields that end in `AtMs` are milliseconds since 1970 UTC; the API truncates its timestamps to seconds. Null means
 * that the API has no value, or only one that is made up (a `startedAt` of 1970-01-01).
 */
export interface Observation extends Now {
  readonly pods: readonly PodObservation[];
  /** Other pods, whose logs show what they need; left out if there are none, or if they were not read. */
  readonly needing?: readonly PodObservation[];
  readonly jobs?: readonly AskedJob[];
}

/** `atMs`: the instant that the program explains, "now". `atBasis`: the source of this instant. */
export interface Now {
  readonly atMs: number;
  readonly atBasis: AtBasis;
}

/** "flag": `--at`. "server-clock": the Date header of the API server. "newest-input": the newest time in files. */
export type AtBasis = "flag" | "server-clock" | "local-clock" | "newest-input" | "recording";

export interface PodObservation extends Sources {
  readonly pod: PodSnapshot;
  /** Older versions of the same pod (same UID), oldest first; empty for a single snapshot. */
  readonly earlier: readonly PodSnapshot[];
  readonly events: readonly EventSnapshot[];
  readonly node: NodeSnapshot | null;
  /** All pods on the pod's node, including the pod itself; left out if they were not read. */
  readonly neighbours?: readonly PodSnapshot[];
  readonly nodeEvents: readonly EventSnapshot[];
  /** The configuration that the node's kubelet serves at /configz, else kubeadm's; null if neither was read. */
  readonly kubeletConfig: KubeletConfig | null;
  readonly missing: readonly Missing[];
  readonly owners?: OwnersObservation;
  readonly config?: ConfigObservation;
  /** Logs of containers that keep the pod from Ready or that the user named; left out if none was requested. */
  readonly logs?: readonly ContainerLog[];
  /** Addresses of Services, existing or missing, that the pod's containers could not connect to. */
  readonly needs?: readonly NeedObservation[];
  /**
   * The pod's Deployment or CronJob, inferred from names, else its controller. Only lists set it, instead of `owners`.
   */
  readonly workload?: OwnerReference | null;
}

export interface PodSnapshot extends Reading {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | null;
  readonly generation: number | null;
  readonly createdAtMs: number | null;
  /** `metadata.deletionTimestamp`: the end of the grace period. The API server sets it when it accepts the deletion. */
  readonly deletionAtMs: number | null;
  readonly finalizers: readonly string[];
  /** `metadata.deletionTimestamp` minus the grace period of the deletion. */
  readonly deletionRequestedAtMs: number | null;
  readonly owner: OwnerReference | null;
  readonly nodeName: string | null;
  readonly restartPolicy: RestartPolicy;
  readonly gracePeriodMs: number;
  /**
   * When the kubelet ends the pod because of its `activeDeadlineSeconds` (`pastActiveDeadline`,
   * pkg/kubelet/active_deadline.go, v1.37.1).
   */
  readonly deadlineAtMs?: number;
  readonly hostNetwork: boolean;
  /**
   * Set for a static pod, which the kubelet reads from a file or a URL. The API only has a copy, which can be younger
   * than the pod.
   */
  readonly isStatic?: true;
  /** `spec.resources.limits.memory`: the limit for all containers together. */
  readonly memoryLimit: string | null;
  readonly podIP: string | null;
  readonly sources?: readonly ConfigSource[];
  /** The source of volumes, e.g. "configmap cart-config", by the volume's name. */
  readonly volumeSources?: Readonly<Record<string, string>>;
  readonly claims?: readonly string[];
  /** The names in `spec.schedulingGates`, which keep the pod from being scheduled. */
  readonly schedulingGates?: readonly string[];
  readonly phase: string | null;
  readonly reason: string | null;
  readonly message: string | null;
  /** `status.startTime`: when the kubelet accepted the pod. */
  readonly startedAtMs: number | null;
  readonly conditions: readonly Condition[];
  /** Init containers and sidecars, app containers, ephemeral containers, and last those that only the status lists. */
  readonly containers: readonly ContainerSpec[];
  /** Some or all of `containers` may have no status. */
  readonly statuses: readonly ContainerStatus[];
}

export interface EventSnapshot extends Reading {
  readonly name: string;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** The container in `involvedObject.fieldPath`: `spec.containers{app}` → "app". */
  readonly container: string | null;
  /** `metadata.creationTimestamp`, by the API server's clock. The event's other instants are by its sender's clock. */
  readonly createdAtMs: number | null;
  /** The event may have occurred more often, because its sender may not have reported it each time. */
  readonly count: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
}

export interface NodeSnapshot extends Reading {
  readonly name: string;
  readonly uid: string | null;
  readonly createdAtMs?: number;
  readonly kubeletVersion: string | null;
  readonly architecture?: string;
  /** `status.declaredFeatures`: of the feature gates that kubelets declare (since v1.36), those that are on. */
  readonly declaredFeatures?: readonly string[];
  readonly isUnschedulable?: true;
  readonly taints?: readonly Taint[];
  readonly conditions: readonly Condition[];
}

export interface Taint {
  readonly key: string;
  readonly effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute" | null;
  readonly addedAtMs: number | null;
}

export interface KubeletConfig extends Reading {
  /** Set if the configuration is not the node's own, but kubeadm's for the whole cluster. */
  readonly source?: "kubeadm";
  readonly maxContainerRestartPeriodMs: number | null;
  /** The gates that the configuration sets. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly syncFrequencyMs: number | null;
  readonly podLogsDir?: string;
  /** `enableSystemLogHandler`: whether the kubelet serves /var/log at /logs. */
  readonly servesLogs?: boolean;
  /** Whether the kernel kills only single processes of a container that is out of memory. */
  readonly singleProcessOOMKill?: boolean;
  /** Whether the kubelet fails to start on a node with cgroup v1. */
  readonly failCgroupV1?: boolean;
}

export interface ConfigSnapshot extends Pick<ConfigSource, "kind" | "name"> {
  /** The API server has no such object. */
  readonly isAbsent?: true;
  readonly createdAtMs: number | null;
  /**
   * `metadata.resourceVersion`: a later write of any object in the same etcd gets a higher one. Null if it is no
   * number.
   */
  readonly version: number | null;
  /** The newest entry of `metadata.managedFields`. `by`: the manager that wrote. */
  readonly lastWrite: { readonly by: string; readonly atMs: number } | null;
}

export interface DatedVersion {
  readonly version: number;
  readonly atMs: number;
}

export interface ConfigObservation {
  readonly sources: readonly ConfigSnapshot[];
  /** The versions of events. An event's last time counts as the time of its version. */
  readonly events: readonly DatedVersion[];
  /** The versions of pods and ReplicaSets. They show whether the versions of different kinds are comparable. */
  readonly others: readonly DatedVersion[];
}

export interface ServiceSnapshot {
  readonly namespace: string;
  readonly name: string;
  readonly ports: readonly number[];
  /** Empty for a headless Service. */
  readonly clusterIPs: readonly string[];
  /** Empty for a Service without a selector: the endpoint controllers do not write its endpoints. */
  readonly selector: Readonly<Record<string, string>>;
  readonly externalName: string | null;
}

/** An address that a pod could not connect to, and the Service at that address. */
export interface NeedObservation {
  readonly address: Address;
  /** The containers whose logs or termination messages have the address. */
  readonly containers: readonly string[];
  /** Null: `namespace` has no Service of the name in the address. */
  readonly service: ServiceSnapshot | null;
  /** The namespace of the Service, or the one that has no such Service. */
  readonly namespace: string;
  /** Services of `namespace` with similar names; empty if the Service exists. */
  readonly similar: readonly string[];
  /** Endpoints in the Service's EndpointSlices; null if these were not read. */
  readonly endpoints: { readonly ready: number; readonly total: number } | null;
  /** The pods that the Service selects; null if they were not read, or if it has no selector. */
  readonly pods: readonly PodObservation[] | null;
}

/** How many pods the user's arguments match, and how many of them the program left out. */
export interface Selection {
  readonly matched: number;
  readonly leftOutFine: number;
  readonly leftOutFailing: number;
  /** "NAMESPACE/NAME" of each chosen pod that the user named. */
  readonly named: readonly string[];
}
