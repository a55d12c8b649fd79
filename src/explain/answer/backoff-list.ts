import type { ConfigSource, Now, OwnerReference, PodSnapshot } from "../observed/observation.ts";
import type { Cause, ContainerExplanation, FailedJob, FailingSince, Gap, LastExit } from "./explanation.ts";
import type { NodeFact } from "./node-fact.ts";
import type { Prose } from "./prose.ts";

export interface ListedPod extends Pick<PodSnapshot, "namespace" | "owner" | "createdAtMs"> {
  readonly pod: string;
  readonly node: string | null;
  /** The Deployment or CronJob, inferred from the pod's name and labels; else the owner. */
  readonly workload: OwnerReference | null;
  /** The number of the pod's app containers and sidecars that are ready, and of all of them. */
  readonly readiness: { readonly ready: number; readonly all: number };
}

/** A container that is in back-off, restarting, failing or slow to start, or that runs as part of a crash loop. */
export interface ListItem
  extends ListedPod,
    Pick<ContainerExplanation, "image" | "state" | "reported" | "restartCount" | "nextRestart" | "overdue"> {
  readonly container: string;
  /** The start of the running instance; null if the container is down or the start is unknown. */
  readonly startedAtMs: number | null;
  readonly isReady: boolean | null;
  /** Whether it is the pod's only app container, which kubectl and the API take if no container is named. */
  readonly isOnlyApp: boolean;
  /** Which log of the container has its last exit; null if none has. */
  readonly lastExitLog: "current" | "previous" | null;
  /** The log line that best explains why the container ended; null if its log was not read, or is empty. */
  readonly lastLogLine: string | null;
  /** True if the container's log was not read because the list had already read as many logs as it may. */
  readonly isLogLeftOut?: true;
  /** The delay of the image's back-off if the pull fails, else of the container's back-off; null if unknown. */
  readonly delayMs: number | null;
  readonly cause: Cause | "image-pull" | "start-failure";
  readonly lastExit: Pick<LastExit, "exitCode" | "signal"> | null;
  /**
   * Why the container cannot start, or the line of its termination message that best explains why it ended; null if the
   * API has neither.
   */
  readonly message: string | null;
  /**
   * The reason of what keeps the whole pod from starting, e.g. "FailedMount"; undefined if no such obstacle is known.
   */
  readonly obstacleReason?: string;
  readonly failingSince: FailingSince | null;
  /** Whether the window and the delay are by the kubelet's defaults, because its configuration was not requested. */
  readonly isByDefaults: boolean;
  readonly isNodeReady: boolean | null;
  readonly sources: readonly Pick<ConfigSource, "kind" | "name">[];
}

/**
 * What keeps a pod from Ready: its node, a running init container, a probe of a running container, a readiness gate, a
 * container that has ended and will not restart, or one that has not started yet.
 */
export type NotReadyCause =
  | "node"
  | "init-container"
  | "startup-probe"
  | "readiness-probe"
  | "readiness-gate"
  | "ended"
  | "starting"
  | "unknown";

/** A pod that has no container among the items of a list, but has long not been Ready. */
export interface NotReadyPod extends ListedPod {
  readonly sinceMs: number;
  readonly cause: NotReadyCause;
  /** The last answer to the probe, the exit code, or the API's message about the readiness gate; null if unknown. */
  readonly message: string | null;
  readonly container:
    | (Pick<ContainerExplanation, "name" | "restartCount" | "reported"> & Pick<ListItem, "isOnlyApp">)
    | null;
  /** The running init container, for which the later containers wait; null if none runs. */
  readonly waitsFor: string | null;
}

/**
 * What failing workloads can share. "log" is a log line, "host" a host that their logs name, "message" the API's reason
 * why their containers cannot start, and "time" the time at which they began to fail.
 */
export type SharedThing = "log" | "message" | "host" | "configmap" | "secret" | "image" | "node" | "time";

/** Something that several failing workloads of a list share, and that may be the cause of all their failures. */
export interface Common {
  /** A sentence about these workloads, without a full stop. */
  readonly sentence: Prose;
  readonly pods: readonly { readonly namespace: string; readonly name: string }[];
  /** What exactly these workloads share, the most telling thing first. */
  readonly what: readonly SharedThing[];
}

export interface BackoffList extends Now {
  readonly items: readonly ListItem[];
  readonly gaps: readonly Gap[];
  readonly notReady: readonly NotReadyPod[];
  /** Jobs that have failed; their pods may be gone. Left out if they were not read. */
  readonly failedJobs?: readonly FailedJob[];
  readonly common?: readonly Common[];
  /** What may be wrong with the nodes that run the items' pods, by the node's name; left out if no node was read. */
  readonly nodeFacts?: ReadonlyMap<string, readonly NodeFact[]>;
  /** The number of pods of the scope that each node runs; left out if the list is incomplete. */
  readonly podsPerNode?: ReadonlyMap<string, number>;
  /**
   * All pods of the scope; left out if their namespaces are unknown or the list is incomplete. `namespace` is left out
   * if it is the same for all.
   */
  readonly allPods?: readonly { readonly namespace?: string; readonly name: string; readonly isReady: boolean }[];
}
