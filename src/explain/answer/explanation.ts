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
 * The answer that every renderer prints. `render/json` converts it to the JSON form `backoff/v1`, with durations in
 * seconds and instants in RFC 3339. A null field means that the value is unknown or that there is none.
 */
export interface Explanation extends Now {
  readonly pods: readonly PodExplanation[];
  /** The Jobs that the user asked about and that have failed; left out if there are none. */
  readonly failedJobs?: readonly FailedJob[];
  /** Groups that together hold each of `pods` once, in the same order; left out if each pod is explained separately. */
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

/** Pods that are explained together. "alike": they fail alike, or the group has one pod. "fine": none of them fails. */
interface PodGroup {
  readonly kind: "alike" | "fine";
  /** Indexes in `pods`. The first pod represents the group: a pod whose log was read, else the one that starts next. */
  readonly members: readonly number[];
}

/** In order: the first one that applies to a pod is its verdict. */
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
  /** What keeps a container of the pod from starting; of several containers, the most urgent one. Null: nothing. */
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
  /** The pod's controller, then the controller of that one; left out if there are none. */
  readonly owners?: readonly OwnerLink[];
  /** Null for a bare pod; left out if the program did not look for owners. */
  readonly workload?: Workload | null;
  /** Null if the workload's revisions show nothing about the failures. */
  readonly since?: Since | null;
  readonly changes?: readonly Change[];
  /**
   * What the owners show about the crashes: a Deployment's rollout, a Job's backoffLimit, or what a revision changed.
   */
  readonly ownerEvidence?: readonly Evidence[];
  /** The gravest first; left out if there are none, or if the pod is fine. */
  readonly nodeFacts?: readonly NodeFact[];
  /**
   * The addresses that the pod could not reach, by its logs; left out if none of them is a Service's, existing or
   * missing.
   */
  readonly needs?: readonly Need[];
  /** The workloads that could not reach the pod's Service; left out if none is known. */
  readonly neededBy?: readonly NeededBy[];
  /** Up to 10 Warning events of the pod and events of its node that affect it, newest first; left out if none. */
  readonly events?: readonly WarningEvent[];
  /** Read-only commands first; left out if there are none. */
  readonly nextSteps?: readonly NextStep[];
}

export const MOST_EVENTS = 10;

export interface WarningEvent
  extends Pick<EventSnapshot, "reason" | "message" | "container" | "count" | "firstAtMs" | "lastAtMs"> {
  readonly regarding: "Pod" | "Node";
  /** Set if the kubelet holds events back: there may be more than `count`, and later ones than `lastAtMs`. */
  readonly isLowerBound?: true;
}

/** A suggested command, quoted for a POSIX shell. */
export interface NextStep {
  /** E.g. "read the crash". */
  readonly what: string;
  readonly command: string;
  readonly changesCluster: boolean;
  readonly note: string | null;
  /** `note` with values of variables, commands and probes, for the user's own terminal; left out if it is the same. */
  readonly noteWithValues?: string;
}

/** For how long the pod's main container has been down since it began to fail, at `sinceMs`. */
export interface Availability {
  readonly sinceMs: number;
  readonly downMs: number;
  /** The part of the time since `sinceMs` for which the container was down, from 0 to 1. */
  readonly share: number;
  /** "inferred": the API no longer has all runs, so each missing run counts with the average length of the others. */
  readonly basis: "observed" | "inferred";
}

/** What keeps a container of a pod from starting, as the API reports it. */
export interface StartObstacle {
  readonly reason: string;
  readonly message: string;
  /** Null without an event. */
  readonly count: number | null;
  readonly sinceMs: number | null;
}

/** Why a pod failed, was evicted, is being deleted or is about to end, in the API's words. One of the two fields can be empty. */
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

/** Data that the program could not read. `code` is for scripts, `message` for users. */
export interface Gap {
  readonly code: string;
  readonly message: string;
}

/** A change that may have made a pod fail: it came shortly before the failures or with them, or its time is unknown. */
export interface Change {
  readonly kind: "revision" | "configmap" | "secret" | "image-digest" | "node";
  /** The name of the changed ReplicaSet, ControllerRevision, ConfigMap, Secret or node, or the image. */
  readonly name: string;
  /** The earliest and the latest instant at which the change can have happened; null if unknown. */
  readonly betweenMs: readonly [number, number] | null;
  /** The program that made the change, e.g. "kubectl-edit"; null if unknown. */
  readonly by: string | null;
  readonly basis: "observed" | "inferred";
  readonly sentence: Prose;
  /** Left out unless a revision changed. */
  readonly settings?: readonly SettingChange[];
}

/** An address that the pod could not connect to, by its logs, and the Service at that address with its pods. */
export interface Need extends Address {
  /** The name of the Service; null if `namespace` has no Service of the name in the address. */
  readonly service: string | null;
  readonly namespace: string;
  /** Null if the EndpointSlices were not read. */
  readonly readyEndpoints: number | null;
  readonly endpoints: number | null;
  /**
   * The pods that the Service selects, those that are not fine first. `nextRestart` is that of the main container; null
   * if it runs or if that is unknown.
   */
  readonly pods: readonly { readonly name: string; readonly nextRestart: Window | null }[];
  readonly sentence: Prose;
}

/** The workloads that could not reach a Service of the pod, inferred from their logs and termination messages. */
export interface NeededBy extends Address, Pick<Need, "namespace"> {
  readonly service: string;
  readonly workloads: readonly { readonly namespace: string; readonly kind: string; readonly name: string }[];
  readonly sentence: string;
}
