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
  /** E.g. "Running", "CrashLoopBackOff" or "ExitCode:1". */
  readonly reported: string | null;
  readonly restartCount: number;
  readonly settings?: Settings;
  readonly isReady: boolean | null;
  readonly waitsFor?: ContainerExplanation;
  readonly isCrashLooping: boolean;
  /** Can be set for a healthy container, too, where it has no meaning. */
  readonly failingSince: FailingSince | null;
  /** While the container is down, the delay of its wait; while it runs, the delay after its likeliest exit. */
  readonly delayMs: number | null;
  /** Other possible delays, the likeliest first. */
  readonly otherDelaysMs?: readonly number[];
  /** "observed": the delay is in a message of the kubelet. */
  readonly delayBasis: "observed" | "inferred" | null;
  readonly isDelayDoubtful: boolean;
  readonly nextRestart: Window | null;
  readonly overdue: Overdue | null;
  readonly whatToCheck: Prose;
  readonly reset: Reset | null;
  /** The likeliest end of the running instance comes first. */
  readonly ifItExits: readonly NextExit[] | null;
  readonly forecast: string | null;
  readonly ways: { readonly afterKill: string; readonly afterExit: string } | null;
  /** When the kubelet ends the pod due to `activeDeadlineSeconds`; set only if the wait probably lasts until then. */
  readonly podEndsAtMs: number | null;
  /** When the container last started, if it has a postStart hook and only an event shows this start. */
  readonly hookRunsSinceMs: number | null;
  readonly beingKilled: KillingProbe | "spec-change" | null;
  readonly expectedKill: ExpectedKill | null;
  readonly lastExit: LastExit | null;
  readonly history: readonly Run[];
  readonly imagePull: ImagePull | null;
  readonly obstacle: Obstacle | null;
  /** The part of `why` that `whyWithoutWait` leaves out. */
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
  /** If set, the failures may have begun long before `atMs`. */
  readonly isUpperBound?: true;
}

export interface ContainerLogs extends LogLines {
  readonly instance: ContainerLog["instance"];
}

/** In these texts, "***" can stand for text that looks secret. */
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

/** "during-the-wait": `atMs` is also the end of the current wait. */
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
  readonly crash: Prose;
  /** If set, the container probably ended because its pod, its sandbox, its node or the container runtime stopped. */
  readonly isStopped?: true;
  /**
   * The assumed number of the log file on the node. Set if RestartAllContainers removed the container of this run but
   * kept the log file.
   */
  readonly removedRun?: number;
}

export interface Run {
  /** The number of the run, counted from 0 as the container's restartCount is. */
  readonly start: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly exitCode: number | null;
  readonly waitedMs: number | null;
  readonly basis: "observed" | "inferred";
  readonly startedBetweenMs: readonly [number, number] | null;
}

/** A failing image pull. */
export interface ImagePull {
  readonly image: string;
  readonly cause: string;
  readonly delayMs: number | null;
  readonly nextPull: Window | null;
}

export interface Obstacle {
  /** "container": this container's own start fails. The other kinds concern the whole pod. */
  readonly kind: ObstacleKind | "container";
  readonly reason: string;
  readonly message: string;
  readonly cause: string;
  readonly repeated?: EventCount;
}

export interface EventCount extends Pick<EventSnapshot, "count" | "firstAtMs" | "lastAtMs"> {
  /** If set, the event may have occurred more often than `count` shows. */
  readonly isLowerBound?: true;
}

export interface Evidence {
  readonly basis: "observed" | "inferred" | "assumed";
  /** E.g. "message-names-the-delay"; see docs/fields.md. */
  readonly rule: string;
  readonly text: Prose;
}
