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
  /** The word that `kubectl get pod` shows, e.g. "Error" or "CrashLoopBackOff"; null without a status. */
  readonly reported: string | null;
  readonly restartCount: number;
  /** The settings in the spec that the output shows; left out if the spec does not list the container. */
  readonly settings?: Settings;
  readonly isReady: boolean | null;
  /** The init container or sidecar that has to finish or start first; left out if the container is not blocked. */
  readonly waitsFor?: ContainerExplanation;
  readonly isCrashLooping?: boolean;
  /** Since when the container has been failing; null if nothing is known. Meaningless for a container that is fine. */
  readonly failingSince: FailingSince | null;
  /**
   * If the container is down, the delay of the present wait. If it runs, the delay after its likeliest exit. 0: the
   * kubelet restarts it immediately. Null: unknown, or the kubelet will not restart it.
   */
  readonly delayMs: number | null;
  /** The other delays that are possible, likeliest first; left out if the delay is almost certain. */
  readonly otherDelaysMs?: readonly number[];
  /** "observed": the kubelet's message has the delay. "inferred": the program infers it from the runs. */
  readonly delayBasis: "observed" | "inferred" | null;
  /** Whether several delays are possible, and `delayMs` is only the likeliest. */
  readonly isDelayDoubtful?: boolean;
  readonly nextRestart: Window | null;
  /** Set if the restart, or the next attempt at a start, is late; then `nextRestart` is null. */
  readonly overdue: Overdue | null;
  /** What to check if the start is overdue, as the end of a sentence; else empty. */
  readonly whatToCheck?: Prose;
  readonly restartingExits?: RestartingExits;
  readonly reset: Reset | null;
  /** The delay after each possible end of the running instance, the likeliest first; null if down or unknown. */
  readonly ifItExits: readonly NextExit[] | null;
  /** A sentence on what the kubelet does after the next exit; null if the container does not run, or if unknown. */
  readonly forecast: string | null;
  /** What the kubelet does after a kill by the probe, and after an exit by itself; left out if it does the same. */
  readonly ways?: { readonly afterKill: string; readonly afterExit: string } | undefined;
  readonly beingKilled: "liveness-probe" | "startup-probe" | "spec-change" | null;
  /** Set while the probe that ended all observed runs fails again. */
  readonly expectedKill: ExpectedKill | null;
  readonly lastExit: LastExit | null;
  /** Oldest first. */
  readonly history: readonly Run[];
  readonly imagePull: ImagePull | null;
  readonly obstacle: Obstacle | null;
  /** The sentence of `why` about how long the kubelet waits; empty if it does not wait. */
  readonly wait?: string;
  /** One or two sentences that explain the state by the kubelet's rules, with the numbers. */
  readonly why: Prose;
  /** The sentences of `why` without `wait`. */
  readonly whyElse?: Prose;
  /** The strongest first. */
  readonly evidence: readonly Evidence[];
  /** A bug of the node's kubelet that probably explains the state; left out or null if none is known. */
  readonly knownBug: KnownBug | null;
  /** The last log lines, only for display; left out if the program read no log. */
  readonly logs?: ContainerLogs;
}

/** When a trouble began. It does not move with each crash, unless `isLatest`. */
export interface FailingSince {
  readonly atMs: number;
  readonly basis: "observed" | "inferred";
  /** Set if the trouble may have begun long before `atMs`. */
  readonly isLatest?: true;
}

export interface ContainerLogs extends LogLines {
  readonly instance: ContainerLog["instance"];
}

/** What people look up in the spec. What may be secret in these texts is "***". */
export interface Settings
  extends Pick<
    ContainerSpec,
    "imagePullPolicy" | "memoryLimit" | "cpuLimit" | "livenessProbe" | "readinessProbe" | "startupProbe"
  > {
  readonly command?: string;
  /** E.g. "DB_HOST=db", "DB_PASSWORD=***", "DB_USER from secret db key user". */
  readonly variables?: readonly string[];
  /** E.g. "configmap web-config". */
  readonly variableSources?: readonly string[];
  /** E.g. "/etc/cart (configmap cart-config, read-only)". */
  readonly mounts?: readonly string[];
}

/** The time of a predicted start or pull: not before `notBeforeMs`, by `likelyByMs` with this `confidence`. */
export interface Window {
  readonly notBeforeMs: number;
  readonly likelyByMs: number;
  readonly confidence: number;
}

/** A possible end of a running instance, and how long the kubelet then waits before it restarts the container. */
export interface NextExit {
  readonly how: "exits" | "killed-by-probe";
  readonly probe: "liveness-probe" | "startup-probe" | null;
  readonly delayMs: number;
  /** The other delays that are possible, likeliest first; left out if the delay is almost certain. */
  readonly otherDelaysMs?: readonly number[];
  readonly likely: boolean;
}

/** The kill of a running instance by its probe, if the probe goes on failing. */
export interface ExpectedKill extends Window {
  readonly probe: "liveness-probe" | "startup-probe";
}

export interface Overdue {
  /** When the start should have happened: 99% of the starts happen by then. */
  readonly expectedByMs: number;
}

export interface KnownBug {
  /** What the bug is, and what to do about it. */
  readonly sentence: string;
  /** The release to upgrade to, e.g. "v1.35.4". */
  readonly fix: string;
  readonly isCuredByNewPod: boolean;
}

/** When the kubelet forgets the container's back-off, so that the delays begin again. */
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
  /** `meaning` and the container's last words; only the words if `meaning` just repeats the exit code. */
  readonly crash?: Prose;
  /** The restartCount of the run if RestartAllContainers removed it, but its log file is still on the node. */
  readonly removedRun?: number;
}

export interface Run {
  /** The container's restartCount during this run; 0 for the first run. */
  readonly start: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly exitCode: number | null;
  readonly waitedMs: number | null;
  readonly basis: "observed" | "inferred";
  /** The earliest and the latest possible start of an inferred run; null for an observed run or if unknown. */
  readonly startedBetweenMs: readonly [number, number] | null;
}

/** The image pull that the container waits for. The kubelet has a separate back-off for each image. */
export interface ImagePull {
  readonly image: string;
  /** The last clause of the error of the last pull, e.g. "connection refused"; empty if unknown. */
  readonly cause: string;
  readonly delayMs: number | null;
  readonly nextPull: Window | null;
}

/** A problem that prevents the start of a container, as the API reports it. */
export interface Obstacle {
  /** "container": a step of the container's own start fails. All other kinds prevent the start of the whole pod. */
  readonly kind: ObstacleKind | "container";
  readonly reason: string;
  readonly message: string;
  /** The message without words that repeat the reason. */
  readonly cause: string;
  readonly repeated?: Pick<EventSnapshot, "count" | "firstAtMs" | "lastAtMs"> & {
    /** Set if the kubelet holds events back: it may have happened more often, and again since `lastAtMs`. */
    readonly isLowerBound?: true;
  };
}

export interface Evidence {
  readonly basis: "seen" | "inferred" | "assumed";
  /** The name of the rule that used the fact, e.g. "message-names-the-delay"; docs/fields.md lists the rules. */
  readonly rule: string;
  readonly text: Prose;
}
