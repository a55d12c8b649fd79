import type { AtBasis, EventSnapshot, OwnerLink, OwnerReference, Selection } from "../observed/observation.ts";
import type { ContainerExplanation, Evidence } from "./container-explanation.ts";

/** The part of the result that is about one container. */
export type * from "./container-explanation.ts";

/**
 * What was seen, explained: the one result type, which every renderer prints. The JSON form (`backoff/v1`, seconds and RFC
 * 3339) is made of it in `render/json.ts`. `null` is "unknown", never a guess without a basis.
 */
export interface Explanation {
  /** The moment that is explained. */
  readonly atMs: number;
  readonly atBasis: AtBasis;
  readonly pods: readonly PodExplanation[];
  /** Every pod once, in the order of `pods`; left out where each of them stands for itself. */
  readonly groups?: readonly PodGroup[];
  /** Left out where nothing was chosen. */
  readonly selection?: Selection;
}

/** Pods that are told of together: alike in trouble, or fine. */
export interface PodGroup {
  readonly kind: "alike" | "fine";
  /** Their indices in `pods`; first the one that stands for all, because it restarts next. */
  readonly members: readonly number[];
}

/** In the order in which they are tried; the first that applies is the pod's verdict. */
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

/** The state of a pod in one word. */
export type Verdict = (typeof VERDICTS)[number];

/** One pod, explained. */
export interface PodExplanation {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | null;
  readonly node: string | null;
  readonly phase: string | null;
  readonly owner: OwnerReference | null;
  readonly verdict: Verdict;
  readonly createdAtMs?: number | null;
  /** How its deletion goes; left out or null if nobody has asked for it. */
  readonly deletion?: Deletion | null;
  /** Why it has failed or is being deleted, in the API's words; left out if it does not say. */
  readonly ending?: Ending | null;
  /** One sentence that a person can read aloud. */
  readonly summary: string;
  readonly policy: PolicyExplanation;
  readonly containers: readonly ContainerExplanation[];
  /** What the kubelet's next sync of this pod will do, step by step. */
  readonly plan: readonly string[];
  /** What could not be seen, and what that weakens. */
  readonly gaps: readonly Gap[];
  /** The objects above the pod, its controller first; left out without any. */
  readonly owners?: readonly OwnerLink[];
  /** Since which revision its pods crash, as far as others are there to compare with; left out where nothing says. */
  readonly since?: string | null;
  /** What these objects mean for its crashes. */
  readonly ownerEvidence?: readonly Evidence[];
  /** The pod's Warning events and those of its node that bear on it, the newest first; left out without any. */
  readonly events?: readonly WarningEvent[];
  /** What a reader may do next, those steps first that only read; left out without any. */
  readonly nextSteps?: readonly NextStep[];
}

/** An event of the pod or of its node, as the API has it. */
export interface WarningEvent
  extends Pick<EventSnapshot, "reason" | "message" | "container" | "count" | "firstAtMs" | "lastAtMs"> {
  readonly regarding: "Pod" | "Node";
}

/** A command that is ready to be pasted into a POSIX shell. */
export interface NextStep {
  /** What it is for, e.g. "read the crash". */
  readonly what: string;
  readonly command: string;
  readonly changesCluster: boolean;
  /** What else a reader should know before running it; null if that is all. */
  readonly note: string | null;
}

/** The deletion of a pod that somebody has asked for. */
interface Deletion {
  /** The end of its grace period. */
  readonly dueAtMs: number;
  /** It stays in the API until these are removed. */
  readonly finalizers: readonly string[];
}

/** What the API says has ended a pod: a reason such as "Evicted", and a message, empty if there is none. */
export interface Ending {
  readonly reason: string;
  /** On one line, without a full stop. */
  readonly message: string;
}

/** The curve in force on the pod's node, and how that is known. */
export interface PolicyExplanation {
  readonly initialMs: number;
  readonly maxMs: number;
  readonly resetAfterMs: number;
  readonly retry: "every-10s" | "at-expiry";
  readonly kubeletVersion: string | null;
  readonly basis: "configz" | "flag" | "version" | "assumed";
  /** The pod's own waits contradict what `basis` says, and the curve is the one that fits them. */
  readonly isInferred?: boolean;
}

/** Something that could not be seen: a code for scripts, a sentence for people. */
export interface Gap {
  readonly code: string;
  readonly message: string;
}
