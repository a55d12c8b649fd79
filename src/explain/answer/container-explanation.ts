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
  /** The container's word in STATUS of `kubectl get pod`, without "Init:", e.g. "Error"; null without a state. */
  readonly reported: string | null;
  readonly restartCount: number;
  /** Left out if the spec does not list the container. */
  readonly settings?: Settings;
  readonly isReady: boolean | null;
  /** The init container that must finish first, or the sidecar that must start first. Only set in state "blocked". */
  readonly waitsFor?: ContainerExplanation;
  readonly isCrashLooping: boolean;
  /** Since when the container has been failing; null if unknown. If the container is fine, the value means nothing. */
  readonly failingSince: FailingSince | null;
  /**
   * The delay of the present wait if the container is down; the delay after its likeliest exit if it runs. 0: the
   * kubelet starts it without a wait. Null: unknown, or the kubelet will not start it.
   */
  readonly delayMs: number | null;
  /** The other delays that are possible, likeliest first; left out if `delayMs` is almost certain. */
  readonly otherDelaysMs?: readonly number[];
  /** "observed": the kubelet's message has the delay. "inferred": the program infers it. Null: `delayMs` is null. */
  readonly delayBasis: "observed" | "inferred" | null;
  /** Whether `delayMs` is only the likeliest of several possible delays, with a probability below 90%. */
  readonly isDelayDoubtful: boolean;
  readonly nextRestart: Window | null;
  /** Set if the container's start, or the kubelet's next attempt at it, is late; then `nextRestart` is null. */
  readonly overdue: Overdue | null;
  /** What the user should check, as the end of a sentence; empty if the start is not overdue. */
  readonly whatToCheck: Prose;
  readonly reset: Reset | null;
  /**
   * The delay after each possible end of the running instance, the likeliest end first. Null: no instance runs, the
   * kubelet will not restart it, or the back-off is unknown.
   */
  readonly ifItExits: readonly NextExit[] | null;
  /** A sentence about `ifItExits`; null if that is null. */
  readonly forecast: string | null;
  /** What the kubelet does after a kill by the probe, and after an exit by itself; null if that is the same. */
  readonly ways: { readonly afterKill: string; readonly afterExit: string } | null;
  readonly beingKilled: "liveness-probe" | "startup-probe" | "spec-change" | null;
  /** When the probe will kill the instance. Null unless it ended all observed runs and has failed in this one, too. */
  readonly expectedKill: ExpectedKill | null;
  readonly lastExit: LastExit | null;
  /** Oldest first: the runs inferred from restartCount, then those that the API shows. */
  readonly history: readonly Run[];
  readonly imagePull: ImagePull | null;
  readonly obstacle: Obstacle | null;
  /** The sentence of `why` about how long the kubelet waits; empty if it has none. */
  readonly wait: string;
  /** Sentences that explain the state by the kubelet's rules, with the numbers. */
  readonly why: Prose;
  /** The sentences of `why` without `wait`. */
  readonly whyElse: Prose;
  readonly evidence: readonly Evidence[];
  /** A known bug of the node's kubelet that probably explains the state; null if there is none. */
  readonly knownBug: KnownBug | null;
  /** Left out if the program read no log. */
  readonly logs?: ContainerLogs;
}

/** When a container began to fail. The instant stays the same after further crashes, except if `isLatest`. */
export interface FailingSince {
  readonly atMs: number;
  readonly basis: "observed" | "inferred";
  /** Set if `atMs` is only the latest possible beginning. The container may have begun to fail long before. */
  readonly isLatest?: true;
}

export interface ContainerLogs extends LogLines {
  readonly instance: ContainerLog["instance"];
}

/** The settings that people look up in the spec. "***" replaces what may be secret in them. */
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

/**
 * When something will happen, e.g. a start or an image pull: almost never before `notBeforeMs`, and by `likelyByMs`
 * with the probability `confidence`, 0 to 1.
 */
export interface Window {
  readonly notBeforeMs: number;
  readonly likelyByMs: number;
  readonly confidence: number;
}

/** A possible end of a running instance, and the kubelet's wait after it. */
export interface NextExit {
  /** The probe that kills the instance; null if it exits by itself. */
  readonly probe: "liveness-probe" | "startup-probe" | null;
  readonly delayMs: number;
  /** The other delays that are possible, likeliest first; left out if `delayMs` is almost certain. */
  readonly otherDelaysMs?: readonly number[];
}

/** When the probe kills the running instance if the probe goes on failing. */
export interface ExpectedKill extends Window {
  readonly probe: "liveness-probe" | "startup-probe";
}

export interface Overdue {
  /** When the container should have started at the latest. After a back-off, 99% of starts come by then. */
  readonly expectedByMs: number;
}

export interface KnownBug {
  /** Describes the bug and what to do about it. */
  readonly sentence: string;
  /** E.g. "v1.35.4". */
  readonly fix: string;
  readonly isCuredByNewPod: boolean;
}

/**
 * When the kubelet drops its back-off record of the container, so that the delays start over. "if-it-keeps-running": if
 * the container runs until then. "during-the-wait": while the kubelet waits, so that the wait ends then.
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
  /** `meaning` and the container's last words; only the last words if `meaning` just repeats the exit code. */
  readonly crash: Prose;
  /** Set if the container was stopped with its pod, sandbox or node. */
  readonly isStopped?: true;
  /** The restartCount of this run, if RestartAllContainers removed the container and left the log file on the node. */
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
  /** The earliest and the latest possible start of an inferred run; null for an observed run or if unknown. */
  readonly startedBetweenMs: readonly [number, number] | null;
}

/** The failing image pull that the container waits for. The kubelet has a separate back-off for each image. */
export interface ImagePull {
  readonly image: string;
  /** The last clause of the error of the last pull, e.g. "connection refused"; empty if unknown. */
  readonly cause: string;
  readonly delayMs: number | null;
  readonly nextPull: Window | null;
}

/** A problem that keeps a container from starting, as the API reports it. */
export interface Obstacle {
  /** "container": a step of the container's own start fails. All other kinds prevent the start of the whole pod. */
  readonly kind: ObstacleKind | "container";
  readonly reason: string;
  readonly message: string;
  /** The part of `message` that names the cause, e.g. without "MountVolume.SetUp failed for volume". */
  readonly cause: string;
  readonly repeated?: Pick<EventSnapshot, "count" | "firstAtMs" | "lastAtMs"> & {
    /** Set if the kubelet holds events back: the problem may have come more often, and again since `lastAtMs`. */
    readonly isLowerBound?: true;
  };
}

export interface Evidence {
  readonly basis: "seen" | "inferred" | "assumed";
  /** The name of the rule that used the fact, e.g. "message-names-the-delay"; docs/fields.md lists the rules. */
  readonly rule: string;
  readonly text: Prose;
}
