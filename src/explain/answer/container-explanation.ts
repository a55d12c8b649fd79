import type { KillingProbe } from "../../kubelet/killing-probe.ts";
import type { ContainerType } from "../../kubelet/restart-policy.ts";
import type { Window } from "../../kubelet/start-distribution.ts";
import type { ObstacleKind } from "../../kubelet/start-obstacles.ts";
import type { ContainerLog, ContainerSpec, EventSnapshot, LogLines, TerminatedState } from "../observed/observation.ts";
import type { Prose } from "./prose.ts";

/** docs/fields.md explains each state. */
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
  /**
   * The reason of the container's state as `kubectl get pod` prints it in STATUS, e.g. "Error", without "Init:".
   * "Running" for a running container, "Waiting" for a waiting container without a reason.
   */
  readonly reported: string | null;
  readonly restartCount: number;
  readonly settings?: Settings;
  readonly isReady: boolean | null;
  readonly waitsFor?: ContainerExplanation;
  readonly isCrashLooping: boolean;
  /** Only meaningful if the container is failing: the program sets this field for healthy containers, too. */
  readonly failingSince: FailingSince | null;
  /**
   * The delay of the current wait; while the container runs, the delay after its likeliest exit. 0: the kubelet starts
   * the container without a wait.
   */
  readonly delayMs: number | null;
  /**
   * The likeliest other delays, the likeliest first: as many as the program needs to reach a probability of 90%
   * together with `delayMs`. Left out if `delayMs` alone reaches it.
   */
  readonly otherDelaysMs?: readonly number[];
  /** "observed": the delay is in a message of the kubelet. */
  readonly delayBasis: "observed" | "inferred" | null;
  readonly isDelayDoubtful: boolean;
  readonly nextRestart: Window | null;
  /** Set if the start, or the kubelet's next attempt at it, is late; then `nextRestart` is null. */
  readonly overdue: Overdue | null;
  readonly whatToCheck: Prose;
  readonly reset: Reset | null;
  /**
   * The possible ends of the running instance, the likeliest first. Null if the container does not run, if the kubelet
   * will not restart the container, or if the back-off is unknown.
   */
  readonly ifItExits: readonly NextExit[] | null;
  readonly forecast: string | null;
  readonly ways: { readonly afterKill: string; readonly afterExit: string } | null;
  /** When the kubelet ends the pod because of `activeDeadlineSeconds`, if the container still waits then. */
  readonly podEndsAtMs: number | null;
  /**
   * When the container's process started, according to an event, if its postStart hook still runs. Until the hook ends,
   * the kubelet does not report the container as running.
   */
  readonly hookRunsSinceMs: number | null;
  readonly beingKilled: KillingProbe | "spec-change" | null;
  /** Null unless one probe has ended all observed runs before this run, and has failed in this run, too. */
  readonly expectedKill: ExpectedKill | null;
  readonly lastExit: LastExit | null;
  readonly history: readonly Run[];
  readonly imagePull: ImagePull | null;
  readonly obstacle: Obstacle | null;
  /** The part of `why` about the kubelet's wait or its next attempt; empty if `why` has no such part. */
  readonly waitSentence: string;
  readonly why: Prose;
  readonly whyWithoutWait: Prose;
  readonly evidence: readonly Evidence[];
  readonly knownBug: KnownBug | null;
  readonly logs?: ContainerLogs;
}

export interface FailingSince {
  readonly atMs: number;
  readonly basis: "observed" | "inferred";
  /** Set if the failures may have begun long before `atMs`. */
  readonly isUpperBound?: true;
}

export interface ContainerLogs extends LogLines {
  readonly instance: ContainerLog["instance"];
}

/** Values that may be secret are replaced by "***". */
export interface Settings
  extends Pick<
    ContainerSpec,
    "imagePullPolicy" | "memoryLimit" | "cpuLimit" | "livenessProbe" | "readinessProbe" | "startupProbe"
  > {
  readonly command?: string;
  readonly args?: string;
  readonly variables?: readonly string[];
  readonly variableSources?: readonly string[];
  readonly mounts?: readonly string[];
}

export interface NextExit extends Pick<ContainerExplanation, "otherDelaysMs"> {
  /** The probe that kills the instance; null if it exits by itself, or is killed because its spec changed. */
  readonly probe: KillingProbe | null;
  readonly delayMs: number;
}

export interface ExpectedKill extends Window {
  readonly probe: KillingProbe;
}

export interface Overdue {
  readonly expectedByMs: number;
}

export interface KnownBug {
  readonly sentence: string;
  readonly fix: string;
  readonly isCuredByNewPod: boolean;
}

/**
 * When the kubelet drops the back-off, so that delays start over. "during-the-wait": `atMs` is the end of the current
 * wait.
 */
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

export interface LastExit extends Omit<TerminatedState, "kind" | "containerID"> {
  readonly cause: Cause;
  readonly causeBasis: "observed" | "inferred";
  readonly meaning: Prose;
  /** What the page says about the crash: `meaning`, the container's last words, or both. */
  readonly crash: Prose;
  /** Set if the container probably ended because its pod, its sandbox, its node or the container runtime stopped. */
  readonly isStopped?: true;
  /**
   * The restartCount of this run. Set if RestartAllContainers removed the run from the status, and its log file is
   * still on the node.
   */
  readonly removedRun?: number;
}

export interface Run {
  /** The restartCount during this run: 0 for the first run. */
  readonly start: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly exitCode: number | null;
  readonly waitedMs: number | null;
  readonly basis: "observed" | "inferred";
  readonly startedBetweenMs: readonly [number, number] | null;
}

/** A failing image pull. The kubelet has a separate back-off for each image of a pod. */
export interface ImagePull {
  readonly image: string;
  readonly cause: string;
  readonly delayMs: number | null;
  readonly nextPull: Window | null;
}

export interface Obstacle {
  /** "container": only this container cannot start. With all other kinds, no container of the pod can start. */
  readonly kind: ObstacleKind | "container";
  readonly reason: string;
  readonly message: string;
  readonly cause: string;
  readonly repeated?: EventCount;
}

export interface EventCount extends Pick<EventSnapshot, "count" | "firstAtMs" | "lastAtMs"> {
  /** Set if the kubelet may have held back events, so that the event may have occurred more often and later. */
  readonly isLowerBound?: true;
}

export interface Evidence {
  readonly basis: "observed" | "inferred" | "assumed";
  /** The rule that found the fact, e.g. "message-names-the-delay"; docs/fields.md lists the rules. */
  readonly rule: string;
  readonly text: Prose;
}
