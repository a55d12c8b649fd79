import type { RestartingExits } from "../../kubelet/restart-policy.ts";
import type { ObstacleKind } from "../../kubelet/start-obstacles.ts";

import type { ContainerLog, ContainerSpec, ContainerType, LogLines } from "../observed/observation.ts";

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
  /** What its spec says about pulls, memory and probes; left out where nobody asked. */
  readonly settings?: Settings;
  /** `status.ready`; null without a status, left out where nobody asked. */
  readonly isReady?: boolean | null;
  /** It makes the pod's verdict "crash-looping"; left out where nobody asked. */
  readonly isCrashLooping?: boolean;
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
  /** How long the kubelet waits, in a sentence; empty or left out where nothing waits. Part of `why`. */
  readonly wait?: string;
  /** The mechanism with its numbers, in one or two sentences. */
  readonly why: string;
  /** What the answer rests on, most telling first. */
  readonly evidence: readonly Evidence[];
  /** Left out where no log was read; the explanation does not rest on it. */
  readonly logs?: ContainerLogs;
}

/** The last lines that one instance of a container has printed, oldest first. */
export interface ContainerLogs extends LogLines {
  readonly instance: ContainerLog["instance"];
}

/** The part of a container's spec that a reader wants to see beside its restarts. */
export type Settings = Pick<
  ContainerSpec,
  "imagePullPolicy" | "memoryLimit" | "livenessProbe" | "readinessProbe" | "startupProbe"
>;

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
  /** Why the last pull failed: the end of the error, which names it; empty if nothing says. */
  readonly cause: string;
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
