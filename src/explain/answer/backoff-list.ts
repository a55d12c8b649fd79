import type { ConfigSource, Now, OwnerReference, PodSnapshot } from "../observed/observation.ts";
import type { Cause, ContainerExplanation, FailedJob, FailingSince, Gap, LastExit } from "./explanation.ts";
import type { NodeFact } from "./node-fact.ts";
import type { Prose } from "./prose.ts";

export interface ListedPod extends Pick<PodSnapshot, "namespace" | "owner" | "createdAtMs"> {
  readonly pod: string;
  readonly node: string | null;
  /** The highest owner that the program knows or infers from names; null for a bare pod. */
  readonly workload: OwnerReference | null;
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
  /**
   * Which log of the container ends with the last exit. Null if the status has no exit, or if RestartAllContainers
   * removed the instance.
   */
  readonly lastExitLog: "current" | "previous" | null;
  /**
   * The log line that best explains the last exit; despite the name, not always the last line. It may come from
   * another pod of the workload, whose container ended alike.
   */
  readonly lastLogLine: string | null;
  /** Set if the program did not read the log, because it reads only a limited number of logs. */
  readonly isLogLeftOut?: true;
  /** The delay of the image's back-off if its pull fails, else of the container's back-off. */
  readonly delayMs: number | null;
  readonly cause: Cause | "image-pull" | "start-failure";
  readonly lastExit: Pick<LastExit, "exitCode" | "signal"> | null;
  /** Why the container cannot start, else the line of its termination message that best explains the exit. */
  readonly message: string | null;
  /** Why no container of the pod can start, e.g. "FailedMount". */
  readonly obstacleReason?: string;
  readonly failingSince: FailingSince | null;
  /**
   * Whether `nextRestart` and `delayMs` assume the defaults of the kubelet, because the program did not request the
   * kubelet's configuration.
   */
  readonly isByDefaults: boolean;
  /** Null if unknown, or if the pod has no node yet; false if the node does not exist. */
  readonly isNodeReady: boolean | null;
  readonly isNodeMissing?: true;
  readonly sources: readonly Pick<ConfigSource, "kind" | "name">[];
}

/** A list has a container that runs only if the container crash-loops. All others in a list are down. */
export function isDownInList({ state }: Pick<ListItem, "state">): boolean {
  return state !== "running";
}

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
  readonly message: string | null;
  readonly container:
    | (Pick<ContainerExplanation, "name" | "restartCount" | "reported"> & Pick<ListItem, "isOnlyApp">)
    | null;
  readonly waitsFor: string | null;
}

export type SharedThing = "log" | "message" | "host" | "configmap" | "secret" | "image" | "node" | "time";

/** What several failing workloads share, or a fact about the node of failing pods: a possible cause of the failures. */
export interface Common {
  readonly sentence: Prose;
  readonly pods: readonly { readonly namespace: string; readonly name: string }[];
  readonly what: readonly SharedThing[];
}

export interface BackoffList extends Now {
  readonly items: readonly ListItem[];
  readonly gaps: readonly Gap[];
  readonly notReady: readonly NotReadyPod[];
  readonly failedJobs?: readonly FailedJob[];
  readonly common?: readonly Common[];
  readonly nodeFacts?: ReadonlyMap<string, readonly NodeFact[]>;
  /**
   * The number of unfinished pods on each node. Counts only pods of the namespace and labels that the user asked for.
   * Set only for a complete list from the API server.
   */
  readonly podsPerNode?: ReadonlyMap<string, number>;
  readonly allPods?: readonly { readonly namespace?: string; readonly name: string; readonly isReady: boolean }[];
}
