import type { ContainerSpec, ContainerStatus, RestartPolicy } from "./container-observation.ts";
import type { OwnerReference, OwnersObservation, Reading, Sources } from "./owner-observation.ts";

/** What a pod says of its containers. */
export type * from "./container-observation.ts";
/** How pods were chosen. */
export type * from "./groups-selection.ts";
/** What was seen of the objects above a pod. */
export type * from "./owner-observation.ts";

/**
 * What was seen, and nothing else: the input of everything below `src/cluster`.
 *
 * Instants are milliseconds since 1970 UTC and end in `AtMs`; the API's timestamps have whole seconds, truncated. `null`
 * means "the API did not say", also for made-up values (a `startedAt` of 1970-01-01 becomes `null`).
 */
export interface Observation {
  /** "Now": the moment that everything is explained for. */
  readonly atMs: number;
  /** Where "now" is from. */
  readonly atBasis: AtBasis;
  readonly pods: readonly PodObservation[];
}

/** Where "now" is from: --at, the API server's Date header, the local clock, the newest timestamp of old input, or a recording. */
export type AtBasis = "flag" | "server-clock" | "local-clock" | "newest-input" | "recording";

/** One pod and everything else that was seen and bears on its restarts. */
export interface PodObservation extends Sources {
  /** The newest state of the pod. */
  readonly pod: PodSnapshot;
  /** Older versions of the same pod (same UID), oldest first; empty for a single snapshot. */
  readonly earlier: readonly PodSnapshot[];
  /** The pod's events, in any order. */
  readonly events: readonly EventSnapshot[];
  readonly node: NodeSnapshot | null;
  /** Events of the Node object. */
  readonly nodeEvents: readonly EventSnapshot[];
  /** What the node's kubelet says of its own configuration (/configz). */
  readonly kubeletConfig: KubeletConfig | null;
  /** What could not be seen, and why. */
  readonly missing: readonly Missing[];
  /** Left out for a pod without a controller, and where nobody looked. */
  readonly owners?: OwnersObservation;
}

/** Something that was asked for and not had. */
export interface Missing {
  readonly what: "events" | "node" | "node-events" | "node-config";
  readonly why: "forbidden" | "not-found" | "timeout" | "unreachable" | "not-asked" | "not-in-input" | "ambiguous";
}

/** One version of a Pod object. */
export interface PodSnapshot extends Reading {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | null;
  readonly generation: number | null;
  readonly createdAtMs: number | null;
  /** `metadata.deletionTimestamp`: set as soon as the deletion is asked for. */
  readonly deletionAtMs: number | null;
  /** The controlling owner. */
  readonly owner: OwnerReference | null;
  readonly nodeName: string | null;
  readonly restartPolicy: RestartPolicy;
  readonly gracePeriodMs: number;
  readonly hostNetwork: boolean;
  readonly podIP: string | null;
  readonly phase: string | null;
  readonly reason: string | null;
  readonly message: string | null;
  /** `status.startTime`: when the kubelet first saw the pod. */
  readonly startedAtMs: number | null;
  readonly conditions: readonly Condition[];
  /** From the spec, init containers and sidecars first, in the pod's order. */
  readonly containers: readonly ContainerSpec[];
  /** From the status, same names as `containers`; may be empty or partial. */
  readonly statuses: readonly ContainerStatus[];
}

/** One entry of `status.conditions`, of a pod or of a node. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string | null;
  readonly message: string | null;
  readonly lastTransitionAtMs: number | null;
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

/** The node that the pod is on. */
export interface NodeSnapshot extends Reading {
  readonly name: string;
  readonly uid: string | null;
  /** `status.nodeInfo.kubeletVersion`, e.g. "v1.37.1". */
  readonly kubeletVersion: string | null;
  readonly conditions: readonly Condition[];
}

/** The part of a kubelet's configuration that bears on restarts. */
export interface KubeletConfig extends Reading {
  /** `crashLoopBackOff.maxContainerRestartPeriod`. */
  readonly maxContainerRestartPeriodMs: number | null;
  /** Only what was set by hand; absent means the version's default. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** `syncFrequency`, the resync interval. */
  readonly syncFrequencyMs: number | null;
}
