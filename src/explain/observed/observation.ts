import type { RestartPolicy } from "../../kubelet/restart-policy.ts";
import type { ConfigSource, ContainerSpec, ContainerStatus } from "./container.ts";
import type { Address } from "./needed-addresses.ts";
import type { AskedJob, OwnerReference, OwnersObservation } from "./owner-observation.ts";
import type { Condition, ContainerLog, Missing, Reading, Sources } from "./reading.ts";

export type * from "./container.ts";
export type * from "./owner-observation.ts";
export type * from "./reading.ts";

/**
 * Fields that end in `AtMs` are milliseconds since 1970 UTC; null or left out if the API has no usable value. The API
 * truncates most timestamps to seconds.
 */
export interface Observation extends Now {
  readonly pods: readonly PodObservation[];
  /** Pods of the input files that are not in `pods`, but have `needs`. */
  readonly needing?: readonly PodObservation[];
  readonly jobs?: readonly AskedJob[];
}

export interface Now {
  readonly atMs: number;
  readonly atBasis: AtBasis;
}

/** "flag": `--at`. "newest-input": the newest time that `nowOf` (cluster/files/input-now.ts) finds in the files. */
export type AtBasis = "flag" | "server-clock" | "local-clock" | "newest-input" | "recording";

export interface PodObservation extends Sources {
  readonly pod: PodSnapshot;
  /** Older versions of the same pod, oldest first. */
  readonly earlier: readonly PodSnapshot[];
  readonly events: readonly EventSnapshot[];
  readonly node: NodeSnapshot | null;
  /** The input's pods on the same node, including this pod. Left out if the program reads from the API server. */
  readonly neighbours?: readonly PodSnapshot[];
  readonly nodeEvents: readonly EventSnapshot[];
  readonly kubeletConfig: KubeletConfig | null;
  readonly missing: readonly Missing[];
  readonly owners?: OwnersObservation;
  readonly config?: ConfigObservation;
  readonly logs?: readonly ContainerLog[];
  readonly needs?: readonly NeedObservation[];
  /** For the pods of a list, in place of `owners`: the inferred Deployment or CronJob, else the pod's controller. */
  readonly workload?: OwnerReference | null;
}

export interface PodSnapshot extends Reading {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | null;
  readonly generation: number | null;
  readonly createdAtMs: number | null;
  /** `metadata.deletionTimestamp`: the end of the grace period. */
  readonly deletionAtMs: number | null;
  readonly finalizers: readonly string[];
  /** `deletionTimestamp` minus the grace period. */
  readonly deletionRequestedAtMs: number | null;
  readonly owner: OwnerReference | null;
  readonly nodeName: string | null;
  readonly restartPolicy: RestartPolicy;
  readonly gracePeriodMs: number;
  /** The end of `activeDeadlineSeconds`. See `pastActiveDeadline` (v1.37.1, pkg/kubelet/active_deadline.go). */
  readonly deadlineAtMs?: number;
  readonly hostNetwork: boolean;
  /** The kubelet reads a static pod from a file or a URL. The API's copy can be younger than the pod. */
  readonly isStatic?: true;
  /** `spec.resources.limits.memory`: the limit for all containers together. */
  readonly memoryLimit: string | null;
  readonly podIP: string | null;
  readonly sources?: readonly ConfigSource[];
  /** Keyed by the volume's name. A value is e.g. "configmap cart-config". */
  readonly volumeSources?: Readonly<Record<string, string>>;
  readonly claims?: readonly string[];
  readonly schedulingGates?: readonly string[];
  readonly phase: string | null;
  readonly reason: string | null;
  readonly message: string | null;
  /** `status.startTime`. */
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
  /** Can be too low, because the sender may not report each occurrence. */
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
  /** E.g. "RestartAllContainersOnContainerExits". */
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
  /** Has only the gates that the program uses and the configuration sets. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly syncFrequencyMs: number | null;
  readonly podLogsDir?: string;
  /**
   * If false, the kubelet does not serve /var/log at /logs. `enableSystemLogHandler` or `enableDebuggingHandlers` is
   * then false (`NewServer`, pkg/kubelet/server/server.go, v1.37.1).
   */
  readonly servesLogs?: boolean;
  /** If true, the kernel can kill single processes of a container that is out of memory, instead of all. */
  readonly singleProcessOOMKill?: boolean;
  /** If true, the kubelet does not start on a node with cgroup v1. */
  readonly failCgroupV1?: boolean;
}

export interface ConfigSnapshot extends Pick<ConfigSource, "kind" | "name"> {
  readonly isAbsent?: true;
  readonly createdAtMs: number | null;
  /** The resourceVersion. A later write in the same etcd gets a higher one. */
  readonly version: number | null;
  /** The newest entry of `metadata.managedFields`. */
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
   * Writes of objects other than events. The program uses them to check whether the versions of events and of other
   * objects can be compared.
   */
  readonly others: readonly DatedVersion[];
}

export interface ServiceSnapshot {
  readonly namespace: string;
  readonly name: string;
  readonly ports: readonly number[];
  readonly clusterIPs: readonly string[];
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
  /** Null if unknown, e.g. for an ExternalName Service. */
  readonly endpoints: { readonly ready: number; readonly total: number } | null;
  /** Null if unknown, e.g. for a Service without a selector. */
  readonly pods: readonly PodObservation[] | null;
}

export interface Selection {
  readonly matched: number;
  readonly leftOutFine: number;
  readonly leftOutFailing: number;
  /** "NAMESPACE/NAME" of each pod that the user named. */
  readonly named: readonly string[];
}
