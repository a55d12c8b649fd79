import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import type { Window } from "../../kubelet/start-distribution.ts";
import type { Address } from "../observed/needed-addresses.ts";
import type { EventSnapshot, Now, OwnerLink, OwnerReference, Selection } from "../observed/observation.ts";
import type { ContainerExplanation, EventCount, Evidence, Obstacle } from "./container-explanation.ts";
import type { NodeFact } from "./node-fact.ts";
import type { Prose } from "./prose.ts";
import type { SettingChange } from "./setting-change.ts";
import type { Since } from "./since.ts";
import type { Workload } from "./workload.ts";

export type * from "./container-explanation.ts";
export type { NodeFact } from "./node-fact.ts";
export type * from "./setting-change.ts";
export type { Since, Window, Workload };

export interface Explanation extends Now {
  readonly pods: readonly PodExplanation[];
  readonly failedJobs?: readonly FailedJob[];
  readonly groups?: readonly PodGroup[];
  readonly selection?: Selection;
}

export interface FailedJob {
  readonly namespace: string;
  readonly name: string;
  readonly failedAtMs: number | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly failedPods: number;
  readonly backoffLimit: number;
  readonly summary: Prose;
  readonly nextSteps: readonly NextStep[];
}

interface PodGroup {
  readonly kind: "alike" | "fine";
  /** Indexes in the `pods` of the {@link Explanation}. */
  readonly members: readonly number[];
}

/** In the order in which `verdictOf` (explain/prediction/state.ts) tries them. */
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
  readonly availability: Availability | null;
  readonly obstacle: StartObstacle | null;
  readonly deletion: {
    /** The end of the grace period. */
    readonly dueAtMs: number;
    readonly finalizers: readonly string[];
  } | null;
  readonly ending: PodEnding | null;
  readonly unreadyGates?: string;
  readonly policy: PolicyExplanation;
  readonly containers: readonly ContainerExplanation[];
  readonly plan: readonly string[];
  readonly gaps: readonly Gap[];
  /** The pod's controller comes first, the highest owner last. */
  readonly owners?: readonly OwnerLink[];
  readonly workload?: Workload | null;
  readonly since?: Since | null;
  readonly changes?: readonly Change[];
  readonly ownerEvidence?: readonly Evidence[];
  readonly nodeFacts?: readonly NodeFact[];
  readonly needs?: readonly Need[];
  readonly neededBy?: readonly NeededBy[];
  readonly events?: readonly WarningEvent[];
  readonly nextSteps?: readonly NextStep[];
}

export const MOST_EVENTS = 10;

export interface WarningEvent extends Pick<EventSnapshot, "reason" | "message" | "container">, EventCount {
  readonly regarding: "Pod" | "Node";
}

/** `command` is quoted for a POSIX shell. */
export interface NextStep {
  readonly what: string;
  readonly command: string;
  readonly changesCluster: boolean;
  readonly note: string | null;
  /** Like `note`, but with values that may be private, for the user's own terminal. Undefined if equal to `note`. */
  readonly noteWithValues?: string;
}

export interface Availability {
  readonly sinceMs: number;
  readonly downMs: number;
  readonly share: number;
  /** "inferred": a run of unknown length counts as if it had the average length of the runs of known length. */
  readonly basis: "observed" | "inferred";
}

export interface StartObstacle extends Pick<Obstacle, "reason" | "message"> {
  readonly count: number | null;
  readonly sinceMs: number | null;
}

export interface PodEnding {
  readonly reason: string;
  readonly message: string;
}

export interface PolicyExplanation extends Pick<CrashLoopPolicy, "initialMs" | "maxMs" | "resetAfterMs"> {
  readonly retry: CrashLoopPolicy["retry"]["kind"];
  readonly kubeletVersion: string | null;
  readonly basis: "configz" | "flag" | "version" | "assumed";
  /** Set if the basis "assumed" means kubeadm's configuration for the whole cluster. */
  readonly isKubeadm?: true;
  /** Whether `initialMs` and `maxMs` are inferred from waits before restarts, and do not come from `basis`. */
  readonly isInferred?: boolean;
}

export interface Gap {
  readonly code: string;
  readonly message: string;
}

export interface Change {
  readonly kind: "revision" | "configmap" | "secret" | "image-digest" | "node";
  readonly name: string;
  readonly betweenMs: readonly [number, number] | null;
  /** The field manager that probably made the change, e.g. "kubectl-edit". */
  readonly by: string | null;
  readonly basis: "observed" | "inferred";
  readonly sentence: Prose;
  readonly settings?: readonly SettingChange[];
}

/** An address that containers could not reach, inferred from their logs and termination messages. */
export interface Need extends Address {
  readonly service: string | null;
  readonly namespace: string;
  readonly readyEndpoints: number | null;
  readonly endpoints: number | null;
  readonly pods: readonly { readonly name: string; readonly nextRestart: Window | null }[];
  readonly sentence: Prose;
}

/** Workloads that could not reach a Service of this pod, inferred from their logs and termination messages. */
export interface NeededBy extends Address, Pick<Need, "namespace"> {
  readonly service: string;
  readonly workloads: readonly { readonly namespace: string; readonly kind: string; readonly name: string }[];
  readonly sentence: string;
}
