import type { ConfigSource, Now, OwnerReference, PodSnapshot } from "../observed/observation.ts";
import type { Cause, ContainerExplanation, FailedJob, FailingSince, Gap, LastExit } from "./explanation.ts";
import type { NodeFact } from "./node-fact.ts";
import type { Prose } from "./prose.ts";

export interface ListedPod extends Pick<PodSnapshot, "namespace" | "owner" | "createdAtMs"> {
  readonly pod: string;
  readonly node: string | null;
  readonly workload: OwnerReference | null;
  readonly readiness: { readonly ready: number; readonly all: number };
}

export interface ListItem
  extends ListedPod,
    Pick<ContainerExplanation, "image" | "state" | "reported" | "restartCount" | "nextRestart" | "overdue"> {
  readonly container: string;
  readonly startedAtMs: number | null;
  readonly isReady: boolean | null;
  readonly isOnlyApp: boolean;
  readonly lastExitLog: "current" | "previous" | null;
  /** The line of the log that seems to explain the last exit best. */
  readonly lastLogLine: string | null;
  readonly isLogLeftOut?: true;
  /** The delay of the image's back-off if its pull fails, else of the container's back-off. */
  readonly delayMs: number | null;
  readonly cause: Cause | "image-pull" | "start-failure";
  readonly lastExit: Pick<LastExit, "exitCode" | "signal"> | null;
  /** Why the container cannot start, or a line of its termination message. */
  readonly message: string | null;
  readonly obstacleReason?: string;
  readonly failingSince: FailingSince | null;
  readonly isByDefaults: boolean;
  /** False also if the node does not exist. */
  readonly isNodeReady: boolean | null;
  readonly isNodeMissing?: true;
  readonly sources: readonly Pick<ConfigSource, "kind" | "name">[];
}

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

/** A pod that has long not been Ready and has no {@link ListItem}. */
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

/** A possible cause of failures, e.g. what several failing workloads share. */
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
  /** Counts only pods that match the namespace and labels of the request. Undefined e.g. if the list is incomplete. */
  readonly podsPerNode?: ReadonlyMap<string, number>;
  readonly allPods?: readonly { readonly namespace?: string; readonly name: string; readonly isReady: boolean }[];
}
