import type { ConfigSource, Now, OwnerReference, PodSnapshot } from "../observed/observation.ts";
import type { Cause, ContainerExplanation, FailedJob, FailingSince, Gap, LastExit } from "./explanation.ts";
import type { NodeFact } from "./node-fact.ts";
import type { Prose } from "./prose.ts";

export interface ListedPod extends Pick<PodSnapshot, "namespace" | "owner" | "createdAtMs"> {
  readonly pod: string;
  readonly node: string | null;
  /** The topmost owner, e.g. a Deployment, which may be inferred from names. */
  readonly workload: OwnerReference | null;
  /** The counts are of app containers and sidecars. */
  readonly readiness: { readonly ready: number; readonly all: number };
}

/** A container that waits for its restart, crash-loops, or does not start. */
export interface ListItem
  extends ListedPod,
    Pick<ContainerExplanation, "image" | "state" | "reported" | "restartCount" | "nextRestart" | "overdue"> {
  readonly container: string;
  readonly startedAtMs: number | null;
  readonly isReady: boolean | null;
  readonly isOnlyApp: boolean;
  /** The log that ends with the last exit; null if the kubelet has none. */
  readonly lastExitLog: "current" | "previous" | null;
  /** The line of the last exit's log that best explains the exit. */
  readonly lastLogLine: string | null;
  /** Set if the log was not read because the list had already read its maximum number of logs. */
  readonly isLogLeftOut?: true;
  /** The delay of the image's back-off if its pull fails, else of the container's back-off. */
  readonly delayMs: number | null;
  readonly cause: Cause | "image-pull" | "start-failure";
  readonly lastExit: Pick<LastExit, "exitCode" | "signal"> | null;
  /** Why the container cannot start, else the line of its termination message that best explains the exit. */
  readonly message: string | null;
  /** The reason of the obstacle that keeps the whole pod from starting, e.g. "FailedMount". */
  readonly obstacleReason?: string;
  readonly failingSince: FailingSince | null;
  /** Whether the window and the delay assume the kubelet's defaults, because its configuration was not requested. */
  readonly isByDefaults: boolean;
  /** Null if the node could not be read, false if it does not exist. */
  readonly isNodeReady: boolean | null;
  readonly isNodeMissing?: true;
  readonly sources: readonly Pick<ConfigSource, "kind" | "name">[];
}

/**
 * "init-container": one runs. "ended": a container has ended and will not restart. "starting": one has not started yet.
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

/** A pod that has long not been Ready, although no {@link ListItem} is about it. */
export interface NotReadyPod extends ListedPod {
  readonly sinceMs: number;
  readonly cause: NotReadyCause;
  /** The last answer to the probe, the exit code, or the API's message about the readiness gate. */
  readonly message: string | null;
  readonly container:
    | (Pick<ContainerExplanation, "name" | "restartCount" | "reported"> & Pick<ListItem, "isOnlyApp">)
    | null;
  /** The running init container, which must end before later containers start. */
  readonly waitsFor: string | null;
}

/**
 * "log": a log line. "host": a host in the logs. "message": the API's reason why containers cannot start. "time": when
 * the failures began.
 */
export type SharedThing = "log" | "message" | "host" | "configmap" | "secret" | "image" | "node" | "time";

/** What several failing workloads of a list share, which may be the cause of all their failures. */
export interface Common {
  /** Without a full stop. */
  readonly sentence: Prose;
  readonly pods: readonly { readonly namespace: string; readonly name: string }[];
  /** The most telling thing first. */
  readonly what: readonly SharedThing[];
}

export interface BackoffList extends Now {
  readonly items: readonly ListItem[];
  readonly gaps: readonly Gap[];
  readonly notReady: readonly NotReadyPod[];
  readonly failedJobs?: readonly FailedJob[];
  readonly common?: readonly Common[];
  /** By the node's name. Only of nodes that run a pod of `items`. */
  readonly nodeFacts?: ReadonlyMap<string, readonly NodeFact[]>;
  /** The number of unfinished pods of the scope on each node; left out if the list is incomplete. */
  readonly podsPerNode?: ReadonlyMap<string, number>;
  /**
   * The unfinished pods of the scope; left out if not all are known. `namespace` is left out if it is the same for all.
   */
  readonly allPods?: readonly { readonly namespace?: string; readonly name: string; readonly isReady: boolean }[];
}
