import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { EventSnapshot, Now, OwnerLink, OwnerReference, Selection } from "../observed/observation.ts";
import type { ContainerExplanation, Evidence } from "./container-explanation.ts";

export type * from "./container-explanation.ts";

/**
 * The one result type, which every renderer prints. `render/json` makes the JSON form (`backoff/v1`, seconds and RFC 3339)
 * of it. `null` is "unknown", never a guess without a basis.
 */
export interface Explanation extends Now {
  readonly pods: readonly PodExplanation[];
  /** Every pod once, in the order of `pods`; left out if each pod is explained separately. */
  readonly groups?: readonly PodGroup[];
  /** How the pods were chosen; `inGroups` sets it together with `groups`. */
  readonly selection?: Selection;
}

/** Pods that are explained together: with the same trouble, or fine. */
export interface PodGroup {
  readonly kind: "alike" | "fine";
  /** Indices in `pods`; the first one represents the group, because it restarts next. */
  readonly members: readonly number[];
}

/** The first that applies is the pod's verdict. */
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
  readonly createdAtMs?: number | null;
  readonly deletion?: {
    /** The end of the grace period. */
    readonly dueAtMs: number;
    /** The pod stays in the API until these are removed. */
    readonly finalizers: readonly string[];
  } | null;
  /** Why the pod has failed or is being deleted, if the API says so. */
  readonly ending?: Ending | null;
  /** One sentence that a person can read aloud. */
  readonly summary: string;
  readonly policy: PolicyExplanation;
  readonly containers: readonly ContainerExplanation[];
  /** The steps of the kubelet's next sync of this pod. */
  readonly plan: readonly string[];
  readonly gaps: readonly Gap[];
  /** The objects above the pod, its controller first; left out without any. */
  readonly owners?: readonly OwnerLink[];
  /** The revision since which the workload's pods crash, as text; null if unknown. */
  readonly since?: string | null;
  /** The meaning of the owners' rollout, Job limit or revisions for the crashes. */
  readonly ownerEvidence?: readonly Evidence[];
  /** The pod's Warning events and those of its node that affect it, the newest first; left out without any. */
  readonly events?: readonly WarningEvent[];
  /** Suggested commands, read-only ones first; left out without any. */
  readonly nextSteps?: readonly NextStep[];
}

export interface WarningEvent
  extends Pick<EventSnapshot, "reason" | "message" | "container" | "count" | "firstAtMs" | "lastAtMs"> {
  readonly regarding: "Pod" | "Node";
}

/** A suggested command, quoted for a POSIX shell. */
export interface NextStep {
  /** Its purpose, e.g. "read the crash". */
  readonly what: string;
  readonly command: string;
  readonly changesCluster: boolean;
  readonly note: string | null;
}

/** Why a pod has ended, in the API's words. */
export interface Ending {
  /** E.g. "Evicted". */
  readonly reason: string;
  /** On one line, without a full stop; may be empty. */
  readonly message: string;
}

/** The back-off rules in force on the pod's node, and how the program knows them. */
export interface PolicyExplanation extends Pick<CrashLoopPolicy, "initialMs" | "maxMs" | "resetAfterMs"> {
  readonly retry: "every-10s" | "at-expiry";
  readonly kubeletVersion: string | null;
  readonly basis: "configz" | "flag" | "version" | "assumed";
  /** The pod's own waits contradict `basis`, so `initialMs` and `maxMs` are those that fit the waits. */
  readonly isInferred?: boolean;
}

/** Data that the program could not read: a code for scripts, a sentence for users. */
export interface Gap {
  readonly code: string;
  readonly message: string;
}
