import type { RestartPolicy } from "../../kubelet/restart-policy.ts";
import type { ConfigSource, ContainerSpec, ContainerStatus } from "./container.ts";
import type { Address } from "./needed-addresses.ts";
import type { AskedJob, OwnerReference, OwnersObservation } from "./owner-observation.ts";
import type { Condition, ContainerLog, Missing, Reading, Sources } from "./reading.ts";

export type * from "./container.ts";
export type * from "./owner-observation.ts";
export type * from "./reading.ts";

/**
 * Fields that end in `AtMs` are milliseconds since 1970 UTC. The API truncates most timestamps to seconds. Null means
 * that the API has no value, an invalid value, or only a placeholder (a `startedAt` of 1970-01-01).
 */
export interface Observation extends Now {
  readonly pods: readonly PodObservation[];
  /** Other pods of the input files that could not reach an address. */
  readonly needing?: readonly PodObservation[];
  readonly jobs?: readonly AskedJob[];
}

/** `atMs`: the instant that counts as now. */
export interface Now {
  readonly atMs: number;
  readonly atBasis: AtBasis;
}

/** "flag": `--at`. "server-clock": the Date header of the API server. "newest-input": the newest time in the files. */
export type AtBasis = "flag" | "server-clock" | "local-clock" | "newest-input" | "recording";

export interface PodObservation extends Sources {
  readonly pod: PodSnapshot;
  /** Older versions of the same pod (same UID), oldest first. */
  readonly earlier: readonly PodSnapshot[];
  readonly events: readonly EventSnapshot[];
  readonly node: NodeSnapshot | null;
  /** The input's pods on the same node, including this pod. Left out if the program reads from the API server. */
  readonly neighbours?: readonly PodSnapshot[];
  readonly nodeEvents: readonly EventSnapshot[];
  /** The configuration of the node's kubelet, from /configz or a file, else kubeadm's for the whole cluster. */
  readonly kubeletConfig: KubeletConfig | null;
  readonly missing: readonly Missing[];
  readonly owners?: OwnersObservation;
  readonly config?: ConfigObservation;
  readonly logs?: readonly ContainerLog[];
  readonly needs?: readonly NeedObservation[];
  /**
   * Set only for pods from a list of the API server, instead of `owners`: the Deployment or CronJob, inferred from
   * names, else the pod's controller.
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
  /** When a user or a controller requested the deletion: `deletionTimestamp` minus the grace period. */
  readonly deletionRequestedAtMs: number | null;
  readonly owner: OwnerReference | null;
  readonly nodeName: string | null;
  readonly restartPolicy: RestartPolicy;
  readonly gracePeriodMs: number;
  /**
   * When the kubelet ends the pod because of `activeDeadlineSeconds` (`pastActiveDeadline`, v1.37.1,
   * pkg/kubelet/active_deadline.go).
   */
  readonly deadlineAtMs?: number;
  readonly hostNetwork: boolean;
  /**
   * The kubelet reads a static pod from a file or a URL. The API only has a copy, which can be younger than the pod.
   */
  readonly isStatic?: true;
  /** `spec.resources.limits.memory`: the limit for all containers together. */
  readonly memoryLimit: string | null;
  readonly podIP: string | null;
  readonly sources?: readonly ConfigSource[];
  /** Keyed by the volume's name. The value is the volume's source, e.g. "configmap cart-config". */
  readonly volumeSources?: Readonly<Record<string, string>>;
  readonly claims?: readonly string[];
  readonly schedulingGates?: readonly string[];
  readonly phase: string | null;
  readonly reason: string | null;
  readonly message: string | null;
  /** `status.startTime`: when the kubelet accepted the pod. */
  readonly startedAtMs: number | null;
  readonly conditions: readonly Condition[];
  readonly containers: readonly ContainerSpec[];
  readonly statuses: readonly ContainerStatus[];
}

export interface EventSnapshot extends Reading {
  readonly name: string;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  readonly container: string | null;
  /** By the API server's clock. The event's other instants are by its sender's clock. */
  readonly createdAtMs: number | null;
  /** A lower bound: the sender may not have reported each occurrence. */
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
  /** The features that the kubelet declares (by default since v1.36), e.g. "RestartAllContainersOnContainerExits". */
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
  /** Set if the configuration is kubeadm's for the whole cluster, not the node's own. */
  readonly source?: "kubeadm";
  readonly maxContainerRestartPeriodMs: number | null;
  /** Has only the gates that the configuration sets. AllAlpha and AllBeta stand for all other gates of that stage. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly syncFrequencyMs: number | null;
  readonly podLogsDir?: string;
  /** `enableSystemLogHandler`: whether the kubelet serves /var/log at /logs. */
  readonly servesLogs?: boolean;
  /** If true, the kernel kills only a single process of a container that is out of memory. */
  readonly singleProcessOOMKill?: boolean;
  /** If true, the kubelet does not start on a node with cgroup v1. */
  readonly failCgroupV1?: boolean;
}

export interface ConfigSnapshot extends Pick<ConfigSource, "kind" | "name"> {
  readonly isAbsent?: true;
  readonly createdAtMs: number | null;
  /**
   * A later write of any object in the same etcd gets a higher resourceVersion. Null if the resourceVersion is no
   * number.
   */
  readonly version: number | null;
  /** The newest entry of `metadata.managedFields`. `by`: the field manager. */
  readonly lastWrite: { readonly by: string; readonly atMs: number } | null;
}

export interface DatedVersion {
  readonly version: number;
  readonly atMs: number;
}

export interface ConfigObservation {
  readonly sources: readonly ConfigSnapshot[];
  readonly events: readonly DatedVersion[];
  /**
   * The last writes of pods and owners. They show whether events are in the same etcd, so that resourceVersions of
   * events and of other objects can be compared.
   */
  readonly others: readonly DatedVersion[];
}

export interface ServiceSnapshot {
  readonly namespace: string;
  readonly name: string;
  readonly ports: readonly number[];
  readonly clusterIPs: readonly string[];
  /** Empty for a Service without a selector. The EndpointSlice controller then writes no endpoints. */
  readonly selector: Readonly<Record<string, string>>;
  readonly externalName: string | null;
}

export interface NeedObservation {
  readonly address: Address;
  readonly containers: readonly string[];
  /** Null if `namespace` has no Service of the name in the address. */
  readonly service: ServiceSnapshot | null;
  readonly namespace: string;
  readonly similar: readonly string[];
  /** Null if the program does not know the endpoints, e.g. those of an ExternalName Service. */
  readonly endpoints: { readonly ready: number; readonly total: number } | null;
  /** Null if the program did not read the pods, e.g. because the Service has no selector. */
  readonly pods: readonly PodObservation[] | null;
}

export interface Selection {
  readonly matched: number;
  readonly leftOutFine: number;
  readonly leftOutFailing: number;
  /** "NAMESPACE/NAME" of each pod that the user named. */
  readonly named: readonly string[];
}
