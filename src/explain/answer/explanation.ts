import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import type { EventSnapshot, Now, OwnerLink, OwnerReference, Selection } from "../observed/observation.ts";
import type { Change } from "./change.ts";
import type { ContainerExplanation, Evidence } from "./container-explanation.ts";
import type { Need, NeededBy } from "./need.ts";
import type { NodeFact } from "./node-fact.ts";
import type { Prose } from "./prose.ts";
import type { Since } from "./since.ts";
import type { Workload } from "./workload.ts";

export type * from "./change.ts";
export type * from "./container-explanation.ts";
export type { Need, NeededBy } from "./need.ts";
export type { NodeFact } from "./node-fact.ts";
export type * from "./setting-change.ts";
export type { Since, Workload };

/**
 * The answer that every renderer prints. `render/json` turns it into the JSON form `backoff/v1`, with seconds and RFC
 * 3339. `null` means unknown, or that there is no such thing. It is never a guess.
 */
export interface Explanation extends Now {
  readonly pods: readonly PodExplanation[];
  /** The Jobs that the user asked about and that have failed; left out if there are none. */
  readonly failedJobs?: readonly FailedJob[];
  /** Groups that together hold each of `pods` once, in the same order; left out if each pod is explained separately. */
  readonly groups?: readonly PodGroup[];
  readonly selection?: Selection;
}

/** A Job that has failed. Its controller has perhaps deleted its pods, and their logs with them. */
export interface FailedJob {
  readonly namespace: string;
  readonly name: string;
  readonly failedAtMs: number | null;
  /** In the words of the API, e.g. "BackoffLimitExceeded". */
  readonly reason: string | null;
  readonly message: string | null;
  readonly failedPods: number;
  readonly backoffLimit: number;
  /** Why it failed, and what is left of it, in one or two sentences. */
  readonly summary: Prose;
  readonly nextSteps: readonly NextStep[];
}

/** Pods that are explained together. "alike": they have the same trouble. "fine": they have none. */
interface PodGroup {
  readonly kind: "alike" | "fine";
  /** Indices in `pods`. The first pod represents the group: its log was read, or it restarts next. */
  readonly members: readonly number[];
}

/** All verdicts in order; the first one that applies to a pod is the pod's verdict. */
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
  /** Null if the pod does not fail, or if too little of its history is known. */
  readonly availability: Availability | null;
  /** What keeps a container of the pod from starting; null if nothing does. */
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
  /** The objects that own the pod, its controller first; left out if there are none. */
  readonly owners?: readonly OwnerLink[];
  /** Null for a bare pod; left out if the program did not look for owners. */
  readonly workload?: Workload | null;
  /** What the workload's revisions show about the failures; null if nothing. */
  readonly since?: Since | null;
  /** What changed shortly before the failures or together with them; left out if nothing did. */
  readonly changes?: readonly Change[];
  /**
   * What the owners show about the crashes: a Deployment's rollout, a Job's backoffLimit, or what a revision changed.
   */
  readonly ownerEvidence?: readonly Evidence[];
  /** What may be wrong with the pod's node, the gravest first; left out for a pod that is fine, or if nothing is. */
  readonly nodeFacts?: readonly NodeFact[];
  /** What the pod could not reach, by its log; left out if that names no Service. */
  readonly needs?: readonly Need[];
  /** Who could not reach the pod; left out if nobody is known. */
  readonly neededBy?: readonly NeededBy[];
  /** Warning events of the pod, and those of its node that affect it, the newest first; left out if there are none. */
  readonly events?: readonly WarningEvent[];
  /** Suggested commands, read-only commands first; left out if there are none. */
  readonly nextSteps?: readonly NextStep[];
}

/** The maximum number of events in an explanation. */
export const MOST_EVENTS = 10;

export interface WarningEvent
  extends Pick<EventSnapshot, "reason" | "message" | "container" | "count" | "firstAtMs" | "lastAtMs"> {
  readonly regarding: "Pod" | "Node";
  /** Set if the kubelet holds events back: it may have happened more often, and again since `lastAtMs`. */
  readonly isLowerBound?: true;
}

/** A suggested command, quoted for a POSIX shell. */
export interface NextStep {
  /** The purpose of the command, e.g. "read the crash". */
  readonly what: string;
  readonly command: string;
  readonly changesCluster: boolean;
  readonly note: string | null;
  /** The note with values of environment variables, for the user's own terminal; left out if it is the same. */
  readonly noteWithValues?: string;
}

/** The time that the pod's main container has been down since its failures began. */
export interface Availability {
  readonly sinceMs: number;
  readonly downMs: number;
  /** The part of the time since `sinceMs`, from 0 to 1. */
  readonly share: number;
  /** "inferred": the API no longer has all runs, and a missing run counts as long as the others on average. */
  readonly basis: "observed" | "inferred";
}

/** What keeps a container from starting, as the API reports it. */
export interface StartObstacle {
  readonly reason: string;
  readonly message: string;
  /** The number of times that it happened; null if no event counts it. */
  readonly count: number | null;
  readonly sinceMs: number | null;
}

/** Why a pod has failed or is being deleted, in the API's words. Either can be empty, but not both. */
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
  /** Whether the pod's own waits contradict `basis`, so that `initialMs` and `maxMs` are inferred from these waits. */
  readonly isInferred?: boolean;
}

/** Data that the program could not read. `code` is for scripts, `message` for users. */
export interface Gap {
  readonly code: string;
  readonly message: string;
}
