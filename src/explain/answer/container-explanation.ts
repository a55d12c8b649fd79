import type { KillingProbe } from "../../kubelet/killing-probe.ts";
import type { ObstacleKind } from "../../kubelet/start-obstacles.ts";
import type {
  ContainerLog,
  ContainerSpec,
  ContainerType,
  EventSnapshot,
  LogLines,
  TerminatedState,
} from "../observed/observation.ts";
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
  /** The container's part of STATUS in `kubectl get pod`, e.g. "Error", without "Init:". */
  readonly reported: string | null;
  readonly restartCount: number;
  readonly settings?: Settings;
  readonly isReady: boolean | null;
  /** The init container that must finish first, or the sidecar that must start first. Only set in state "blocked". */
  readonly waitsFor?: ContainerExplanation;
  readonly isCrashLooping: boolean;
  /** Means nothing if the container does not fail. */
  readonly failingSince: FailingSince | null;
  /**
   * The delay of the current wait; while the container runs, the delay after its likeliest exit. 0: the kubelet starts
   * the container without a wait.
   */
  readonly delayMs: number | null;
  /** The other delays that are possible, likeliest first; left out if `delayMs` is almost certain. */
  readonly otherDelaysMs?: readonly number[];
  /** "observed": the kubelet's message has the delay. */
  readonly delayBasis: "observed" | "inferred" | null;
  /** Whether several delays are possible, and the probability of `delayMs` is below 90%. */
  readonly isDelayDoubtful: boolean;
  readonly nextRestart: Window | null;
  /** Set if the start, or the kubelet's next attempt at it, is late; then `nextRestart` is null. */
  readonly overdue: Overdue | null;
  /** The end of a sentence about what the user should check; empty if `overdue` is null. */
  readonly whatToCheck: Prose;
  readonly reset: Reset | null;
  /**
   * The possible ends of the running instance, the likeliest first; null if the kubelet will not restart it, or if
   * nothing is known.
   */
  readonly ifItExits: readonly NextExit[] | null;
  readonly forecast: string | null;
  /**
   * What the kubelet does after a kill by the probe, and after an exit by itself; null if that is the same, or if only
   * one of them can come.
   */
  readonly ways: { readonly afterKill: string; readonly afterExit: string } | null;
  /** When the kubelet ends the pod by its `activeDeadlineSeconds`, if that comes before the next restart; else null. */
  readonly podEndsAtMs: number | null;
  /** When the process started whose postStart hook still runs, so that the status does not show it yet. */
  readonly hookRunsSinceMs: number | null;
  readonly beingKilled: KillingProbe | "spec-change" | null;
  /** Null unless the probe ended all observed runs and has failed in this one, too. */
  readonly expectedKill: ExpectedKill | null;
  readonly lastExit: LastExit | null;
  /** Oldest first: inferred runs, then observed ones. */
  readonly history: readonly Run[];
  readonly imagePull: ImagePull | null;
  readonly obstacle: Obstacle | null;
  /** The sentence of `why` about how long the kubelet waits; empty if `why` has none. */
  readonly wait: string;
  readonly why: Prose;
  /** The sentences of `why` without `wait`. */
  readonly whyElse: Prose;
  readonly evidence: readonly Evidence[];
  readonly knownBug: KnownBug | null;
  readonly logs?: ContainerLogs;
}

export interface FailingSince {
  readonly atMs: number;
  readonly basis: "observed" | "inferred";
  /** Set if the failures may have begun long before `atMs`, but not after it. */
  readonly isLatest?: true;
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
  /** E.g. "DB_HOST=db", "DB_PASSWORD=***", "DB_USER from secret db key user". */
  readonly variables?: readonly string[];
  readonly variableSources?: readonly string[];
  /** E.g. "/etc/cart (configmap cart-config, read-only)". */
  readonly mounts?: readonly string[];
}

/** When a start, an attempt or a kill will come: almost never before `notBeforeMs`, in 95 % of cases by `likelyByMs`. */
export interface Window {
  readonly notBeforeMs: number;
  readonly likelyByMs: number;
}

export interface NextExit extends Pick<ContainerExplanation, "otherDelaysMs"> {
  /** The probe that kills the instance; null if it exits by itself. */
  readonly probe: KillingProbe | null;
  readonly delayMs: number;
}

/** When the probe kills the running instance, if the probe goes on failing. */
export interface ExpectedKill extends Window {
  readonly probe: KillingProbe;
}

export interface Overdue {
  /** After a back-off, 99% of starts come by then. */
  readonly expectedByMs: number;
}

export interface KnownBug {
  readonly sentence: string;
  readonly fix: string;
  readonly isCuredByNewPod: boolean;
}

/**
 * When the kubelet drops the back-off, so that delays start over. "if-it-keeps-running": if the container runs until
 * then. "during-the-wait": the current wait ends then.
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
  /** The sentence about the exit with the container's last words. */
  readonly crash: Prose;
  /** Set if the container was stopped with its pod, sandbox or node. */
  readonly isStopped?: true;
  /** The restartCount of this run, if RestartAllContainers removed it and its log file is still on the node. */
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

/** A failing image pull. The kubelet has a separate back-off for each image. */
export interface ImagePull {
  readonly image: string;
  /** The last clause of the last pull's error, e.g. "connection refused"; empty if unknown. */
  readonly cause: string;
  readonly delayMs: number | null;
  readonly nextPull: Window | null;
}

export interface Obstacle {
  /** "container": a step of the container's own start fails. All other kinds prevent the start of the whole pod. */
  readonly kind: ObstacleKind | "container";
  readonly reason: string;
  readonly message: string;
  /** The part of `message` with the cause, e.g. without "MountVolume.SetUp failed for volume". */
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
