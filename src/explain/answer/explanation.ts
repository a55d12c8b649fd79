import type { RestartingExits } from "../../kubelet/restart-policy.ts";
import type { ObstacleKind } from "../../kubelet/start-obstacles.ts";
import type { AtBasis, ContainerType, OwnerLink, OwnerReference, Selection } from "../observed/observation.ts";

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
  /** What these objects mean for its crashes. */
  readonly ownerEvidence?: readonly Evidence[];
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

/** In words: docs/fields.md. */
export type State =
  | "backing-off"
  | "restarting"
  | "running"
  | "starting"
  | "blocked"
  | "completed"
  | "failed"
  | "unknown";

/** One container, explained: what it is doing, what happens to it next, and why. */
export interface ContainerExplanation {
  readonly name: string;
  readonly type: ContainerType;
  readonly image: string;
  readonly state: State;
  /** What `kubectl get pod` shows for it, e.g. "Error" or "CrashLoopBackOff"; null without a status. */
  readonly reported: string | null;
  readonly restartCount: number;
  /**
   * Down: the delay of the present wait. Running: what the kubelet waits after the next exit, if that is like the last ones.
   * 0: it restarts immediately; null if unknown or if it will not restart.
   */
  readonly delayMs: number | null;
  /** observed: the kubelet's own message says so. */
  readonly delayBasis: "observed" | "inferred" | null;
  readonly nextRestart: Window | null;
  /** The restart, or the next attempt, should have come already: `nextRestart` is null then. */
  readonly overdue: Overdue | null;
  /** The exits after which it starts again; left out where nobody asked. */
  readonly restartingExits?: RestartingExits;
  readonly reset: Reset | null;
  /** While it runs and restarts after an exit: the wait for each way to end, the likely one first. Null if unknown. */
  readonly ifItExits: readonly NextExit[] | null;
  /** What the kubelet does after the next exit, as a sentence; null while it does not run, or if that is unknown. */
  readonly forecast: string | null;
  /** The kill that the kubelet has announced and that the running instance has not obeyed yet. */
  readonly beingKilled: "liveness-probe" | "startup-probe" | "spec-change" | null;
  readonly lastExit: LastExit | null;
  /** Oldest first. */
  readonly history: readonly Run[];
  readonly imagePull: ImagePull | null;
  /** What keeps it from being started; left out where nothing is known to. */
  readonly obstacle?: Obstacle | null;
  /** The mechanism with its numbers, in one or two sentences. */
  readonly why: string;
  /** What the answer rests on, most telling first. */
  readonly evidence: readonly Evidence[];
  /** Left out unless asked for; read beside the explanation, which does not rest on them. */
  readonly logs?: ContainerLogs;
}

/** The last lines that a container's instances have printed, oldest first; null: not read, or no such instance. */
export interface ContainerLogs {
  /** Of the instance that ended last. */
  readonly previous: readonly string[] | null;
  /** Of the one that runs. */
  readonly current: readonly string[] | null;
}

/** When something happens: never before the first instant, with `confidence` by the second. */
export interface Window {
  readonly notBeforeMs: number;
  readonly likelyByMs: number;
  readonly confidence: number;
}

/** A way in which a running instance can end, and how long the kubelet then waits before it restarts the container. */
export interface NextExit {
  readonly how: "exits" | "killed-by-probe";
  /** The probe that kills it; null where it exits by itself. */
  readonly probe: "liveness-probe" | "startup-probe" | null;
  readonly delayMs: number;
  readonly likely: boolean;
}

/** What should have happened, and has not. */
export interface Overdue {
  /** In 99 of 100 cases it has happened by then. */
  readonly expectedByMs: number;
  /** What a reader should check, as the end of a sentence. */
  readonly check: string;
}

/** When the back-off entry goes and the curve starts anew. */
export interface Reset {
  readonly atMs: number;
  readonly how: "if-it-keeps-running" | "during-the-wait";
}

/** Why an instance ended. */
export type Cause =
  | "exited"
  | "signal"
  | "oom"
  | "liveness-probe"
  | "startup-probe"
  | "post-start-hook"
  | "start-error"
  | "restart-all"
  | "spec-change"
  | "unknown";

/** The exit that the container's present state goes back to. */
export interface LastExit {
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly exitCode: number;
  readonly signal: number | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly cause: Cause;
  readonly causeBasis: "observed" | "inferred";
  /** The exit in words, one sentence. */
  readonly meaning: string;
}

/** One instance of a container. */
export interface Run {
  /** The restartCount of this run: 0 is the first. */
  readonly start: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly exitCode: number | null;
  /** From its exit to the next start; null for the last run or if unknown. */
  readonly waitedMs: number | null;
  readonly basis: "observed" | "inferred";
  /** For inferred runs: between which instants it started. */
  readonly startedBetweenMs: readonly [number, number] | null;
}

/** The pull that the container waits for; it has a back-off of its own, by image. */
export interface ImagePull {
  readonly image: string;
  /** The delay of the image's own back-off entry; null if unknown. */
  readonly delayMs: number | null;
  readonly nextPull: Window | null;
}

/** What the API says keeps a container from being started: those words are the answer. */
export interface Obstacle {
  /** container: a step of its own start fails; the others hold up the whole pod. */
  readonly kind: ObstacleKind | "container";
  /** The event's or the status's, e.g. "FailedMount". */
  readonly reason: string;
  /** On one line, without a full stop; empty if nothing is said. */
  readonly message: string;
  /** The message without what the reason says anyway. */
  readonly cause: string;
  /** How often an event says so, and from when to when. */
  readonly repeated?: {
    readonly count: number;
    readonly firstAtMs: number | null;
    readonly lastAtMs: number | null;
  };
}

/** One thing that the answer rests on, under the name of the rule that used it. */
export interface Evidence {
  readonly basis: "seen" | "inferred" | "assumed";
  /** The rule's name in kebab-case, e.g. "message-names-the-delay". */
  readonly rule: string;
  readonly text: string;
}
