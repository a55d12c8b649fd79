import type { RestartingExits } from "../../kubelet/restart-policy.ts";
import type { ObstacleKind } from "../../kubelet/start-obstacles.ts";
import type {
  ContainerLog,
  ContainerSpec,
  ContainerType,
  EventSnapshot,
  LogLines,
  TerminatedState,
} from "../observed/observation.ts";

/** Explained in docs/fields.md. */
export type State =
  | "backing-off"
  | "restarting"
  | "running"
  | "starting"
  | "blocked"
  | "completed"
  | "failed"
  | "unknown";

export interface ContainerExplanation {
  readonly name: string;
  readonly type: ContainerType;
  readonly image: string;
  readonly state: State;
  /** The word that `kubectl get pod` shows for it, e.g. "Error" or "CrashLoopBackOff"; null without a status. */
  readonly reported: string | null;
  readonly restartCount: number;
  /** The fields of its spec that are printed beside its restarts; left out for a container that the spec does not list. */
  readonly settings?: Settings;
  /** `status.ready`; null without a status. */
  readonly isReady?: boolean | null;
  /** The container makes the pod's verdict "crash-looping". */
  readonly isCrashLooping?: boolean;
  /**
   * Down: the delay of the present wait. Running: the wait after the next exit, if that exit is like the last ones.
   * 0: it restarts immediately; null if unknown or if it will not restart.
   */
  readonly delayMs: number | null;
  /** observed: the kubelet's own message names the delay. */
  readonly delayBasis: "observed" | "inferred" | null;
  readonly nextRestart: Window | null;
  /** Set if the restart, or the next attempt, should have come already: then `nextRestart` is null. */
  readonly overdue: Overdue | null;
  readonly restartingExits?: RestartingExits;
  readonly reset: Reset | null;
  /** While it runs and restarts after an exit: the wait for each way to end, the likely one first. Null if unknown. */
  readonly ifItExits: readonly NextExit[] | null;
  /** A sentence on what the kubelet does after the next exit; null while the container does not run, or if unknown. */
  readonly forecast: string | null;
  /** Why the kubelet is killing the running instance; null if no kill is in progress. */
  readonly beingKilled: "liveness-probe" | "startup-probe" | "spec-change" | null;
  readonly lastExit: LastExit | null;
  /** Oldest first. */
  readonly history: readonly Run[];
  readonly imagePull: ImagePull | null;
  readonly obstacle?: Obstacle | null;
  /** A sentence on how long the kubelet waits; empty if nothing waits. Part of `why`. */
  readonly wait?: string;
  /** The mechanism with its numbers, in one or two sentences. */
  readonly why: string;
  /** The strongest first. */
  readonly evidence: readonly Evidence[];
  /** Left out if no log was read; the explanation does not use it. */
  readonly logs?: ContainerLogs;
}

export interface ContainerLogs extends LogLines {
  readonly instance: ContainerLog["instance"];
}

export type Settings = Pick<
  ContainerSpec,
  "imagePullPolicy" | "memoryLimit" | "livenessProbe" | "readinessProbe" | "startupProbe"
>;

/** When something happens: never before `notBeforeMs`, and with the probability `confidence` by `likelyByMs`. */
export interface Window {
  readonly notBeforeMs: number;
  readonly likelyByMs: number;
  readonly confidence: number;
}

/** A way in which a running instance can end, and how long the kubelet then waits before it restarts the container. */
export interface NextExit {
  readonly how: "exits" | "killed-by-probe";
  /** The probe that kills it; null if it exits by itself. */
  readonly probe: "liveness-probe" | "startup-probe" | null;
  readonly delayMs: number;
  readonly likely: boolean;
}

/** A start that should have happened, and has not. */
export interface Overdue {
  /** By this instant, 99 % of the starts after this wait have happened. */
  readonly expectedByMs: number;
  /** Tells the user what to check, as the end of a sentence. */
  readonly check: string;
}

/** When the kubelet drops the back-off entry, so that the delays begin from the initial one again. */
export interface Reset {
  readonly atMs: number;
  readonly how: "if-it-keeps-running" | "during-the-wait";
}

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

/** The exit that led to the container's present state. */
export interface LastExit extends Omit<TerminatedState, "kind" | "containerID"> {
  readonly cause: Cause;
  readonly causeBasis: "observed" | "inferred";
  readonly meaning: string;
}

/** One instance of a container. */
export interface Run {
  /** The container's restartCount during this run: 0 is the first. */
  readonly start: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly exitCode: number | null;
  /** From its exit to the next start; null for the last run or if unknown. */
  readonly waitedMs: number | null;
  readonly basis: "observed" | "inferred";
  /** The earliest and the latest possible start of an inferred run. */
  readonly startedBetweenMs: readonly [number, number] | null;
}

/** The image pull that the container waits for; pulls have a back-off of their own, by image. */
export interface ImagePull {
  readonly image: string;
  /** Why the last pull failed, in the last words of the error; empty if unknown. */
  readonly cause: string;
  /** The delay of the image's own back-off entry; null if unknown. */
  readonly delayMs: number | null;
  readonly nextPull: Window | null;
}

/** A problem that prevents the start of a container, as the API reports it. */
export interface Obstacle {
  /** container: a step of the container's own start fails; all other kinds hold up the whole pod. */
  readonly kind: ObstacleKind | "container";
  /** From the event or the status, e.g. "FailedMount". */
  readonly reason: string;
  /** On one line, without a full stop; may be empty. */
  readonly message: string;
  /** The message without words that repeat the reason. */
  readonly cause: string;
  readonly repeated?: Pick<EventSnapshot, "count" | "firstAtMs" | "lastAtMs">;
}

/** One fact or conclusion on which the answer is based. */
export interface Evidence {
  readonly basis: "seen" | "inferred" | "assumed";
  /** The name of the rule that used it, e.g. "message-names-the-delay". */
  readonly rule: string;
  readonly text: string;
}
