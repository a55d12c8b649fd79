import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import type { Address } from "../observed/needed-addresses.ts";
import type { EventSnapshot, Now, OwnerLink, OwnerReference, Selection } from "../observed/observation.ts";
import type { ContainerExplanation, Evidence, Window } from "./container-explanation.ts";
import type { NodeFact } from "./node-fact.ts";
import type { Prose } from "./prose.ts";
import type { SettingChange } from "./setting-change.ts";
import type { Since } from "./since.ts";
import type { Workload } from "./workload.ts";

export type * from "./container-explanation.ts";
export type { NodeFact } from "./node-fact.ts";
export type * from "./setting-change.ts";
export type { Since, Workload };

/**
 * The answer about pods. A null field means that the value is unknown or that there is none. JSON output has durations
 * in seconds and instants in RFC 3339.
 */
export interface Explanation extends Now {
  readonly pods: readonly PodExplanation[];
  /** The Jobs that the user asked about and that have failed; left out if there are none. */
  readonly failedJobs?: readonly FailedJob[];
  /** Groups that together have all `pods` once, in the same order; left out if each pod is explained by itself. */
  readonly groups?: readonly PodGroup[];
  readonly selection?: Selection;
}

/** A Job that has failed. The Job controller may have deleted its pods, and with them their logs. */
export interface FailedJob {
  readonly namespace: string;
  readonly name: string;
  readonly failedAtMs: number | null;
  /** The reason of the Job's condition Failed, e.g. "BackoffLimitExceeded". */
  readonly reason: string | null;
  readonly message: string | null;
  readonly failedPods: number;
  readonly backoffLimit: number;
  /** One or two sentences: when and why the Job failed, and whether none of its pods is left. */
  readonly summary: Prose;
  readonly nextSteps: readonly NextStep[];
}

/** Pods that are explained together. */
interface PodGroup {
  /** "alike": they fail alike, or there is only one. "fine": no pod of the group fails. */
  readonly kind: "alike" | "fine";
  /** Indexes in `pods`. The first pod represents the group. */
  readonly members: readonly number[];
}

/** The verdict about a pod is the first of these that applies. */
export const VERDICTS = [
  "terminating",
  "failed",
  "completed",
  "unknown",
  "crash-looping",
  "image-pull-back-off",
  "start-failing",
  "pending",
  "running",
] as const;

export type Verdict = (typeof VERDICTS)[number];

export interface PodExplanation {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | null;
  readonly node: string | null;
  readonly phase: string | null;
  readonly owner: OwnerReference | null;
  readonly verdict: Verdict;
  readonly createdAtMs: number | null;
  /** Null if the pod's main container does not fail, or if too little of its history is known. */
  readonly availability: Availability | null;
  /** The obstacle of the most urgent container that has one. */
  readonly obstacle: StartObstacle | null;
  readonly deletion: {
    /** The end of the grace period. */
    readonly dueAtMs: number;
    readonly finalizers: readonly string[];
  } | null;
  readonly ending: PodEnding | null;
  readonly policy: PolicyExplanation;
  readonly containers: readonly ContainerExplanation[];
  /** The steps of the kubelet's next sync of this pod. */
  readonly plan: readonly string[];
  readonly gaps: readonly Gap[];
  /** The pod's own controller first, then the controller of that controller. */
  readonly owners?: readonly OwnerLink[];
  /** Null for a bare pod; left out if the program did not look for owners. */
  readonly workload?: Workload | null;
  /** Null if the workload's revisions show nothing about the failures. */
  readonly since?: Since | null;
  readonly changes?: readonly Change[];
  /** What the owners show: a Deployment's rollout, a Job's backoffLimit, or what a revision changed. */
  readonly ownerEvidence?: readonly Evidence[];
  /** The gravest first. */
  readonly nodeFacts?: readonly NodeFact[];
  /** Inferred from the logs and termination messages of the pod's containers. */
  readonly needs?: readonly Need[];
  readonly neededBy?: readonly NeededBy[];
  /** Up to 10 Warning events of the pod, and events of its node that affect it, newest first. */
  readonly events?: readonly WarningEvent[];
  /** Read-only commands first. */
  readonly nextSteps?: readonly NextStep[];
}

export const MOST_EVENTS = 10;

export interface WarningEvent
  extends Pick<EventSnapshot, "reason" | "message" | "container" | "count" | "firstAtMs" | "lastAtMs"> {
  readonly regarding: "Pod" | "Node";
  /** Set if the kubelet may have held back events, so that the event may have occurred more often and later. */
  readonly isLowerBound?: true;
}

/** A suggested command, quoted for a POSIX shell. */
export interface NextStep {
  /** E.g. "read the crash". */
  readonly what: string;
  readonly command: string;
  readonly changesCluster: boolean;
  readonly note: string | null;
  /**
   * The note with the values of variables, commands and probes, for the user's own terminal; left out if it is the
   * same.
   */
  readonly noteWithValues?: string;
}

/** For how long the pod's main container has been down since it began to fail, at `sinceMs`. */
export interface Availability {
  readonly sinceMs: number;
  readonly downMs: number;
  /** `downMs` divided by the time since `sinceMs`. */
  readonly share: number;
  /** "inferred": the API no longer has all runs, so each missing run counts with the average length of the others. */
  readonly basis: "observed" | "inferred";
}

export interface StartObstacle {
  readonly reason: string;
  readonly message: string;
  /** Null without an event. */
  readonly count: number | null;
  readonly sinceMs: number | null;
}

/** Why a pod ends or has ended, in the API's words. One of the fields can be empty. */
export interface PodEnding {
  readonly reason: string;
  readonly message: string;
}

/** The back-off rules in force on the pod's node, and how the program knows them. */
export interface PolicyExplanation extends Pick<CrashLoopPolicy, "initialMs" | "maxMs" | "resetAfterMs"> {
  readonly retry: CrashLoopPolicy["retry"]["kind"];
  readonly kubeletVersion: string | null;
  readonly basis: "configz" | "flag" | "version" | "assumed";
  /** Set if the rules follow from kubeadm's configuration for the whole cluster; `basis` is then "assumed". */
  readonly isKubeadm?: true;
  /** Whether the pod's waits contradict `basis`, so that the program infers `initialMs` and `maxMs` from the waits. */
  readonly isInferred?: boolean;
}

/** What limits the answer, e.g. data that could not be read. `code` is for scripts, `message` for users. */
export interface Gap {
  readonly code: string;
  readonly message: string;
}

/** A change that may have made a pod fail. */
export interface Change {
  readonly kind: "revision" | "configmap" | "secret" | "image-digest" | "node";
  /** The changed ReplicaSet, ControllerRevision, ConfigMap, Secret or node, or the image. */
  readonly name: string;
  /** The earliest and the latest instant at which the change can have happened. */
  readonly betweenMs: readonly [number, number] | null;
  /** The field manager that made the change, e.g. "kubectl-edit". */
  readonly by: string | null;
  readonly basis: "observed" | "inferred";
  readonly sentence: Prose;
  /** Only set if `kind` is "revision". */
  readonly settings?: readonly SettingChange[];
}

/** An address that containers could not connect to, inferred from their logs, and the Service at that address. */
export interface Need extends Address {
  /** Null if `namespace` has no Service of the name in the address. */
  readonly service: string | null;
  readonly namespace: string;
  /** Null if the EndpointSlices were not read. */
  readonly readyEndpoints: number | null;
  readonly endpoints: number | null;
  /** The pods that the Service selects. `nextRestart` is that of one container. */
  readonly pods: readonly { readonly name: string; readonly nextRestart: Window | null }[];
  readonly sentence: Prose;
}

/** The workloads that could not reach a Service of the pod, inferred from their logs and termination messages. */
export interface NeededBy extends Address, Pick<Need, "namespace"> {
  readonly service: string;
  readonly workloads: readonly { readonly namespace: string; readonly kind: string; readonly name: string }[];
  readonly sentence: string;
}
