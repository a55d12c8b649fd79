import type { Tone } from "../page/paint.ts";

/** Runs and waits of containers over time, as a picture shows them: one lane each, on one axis. */
export interface Timeline {
  readonly lanes: readonly Lane[];
  /** The moment from which it is told; null where there is none, as in a simulation. */
  readonly nowMs: number | null;
  readonly clock: Clock;
}

/** How instants are told: as times of day in a zone (undefined: the process's own), or as spans of time since 0. */
export type Clock = { readonly kind: "zone"; readonly timeZone: string | undefined } | { readonly kind: "elapsed" };

export interface Lane {
  readonly name: string;
  /** What stands behind its name, e.g. " (init)"; else empty. */
  readonly role: string;
  /** Names of containers that look the same and have no lane of their own. */
  readonly twins: readonly string[];
  /** Its state in a word or two, under the name. */
  readonly state: string;
  readonly tone: Tone;
  /** Nothing in it needs attention: it is drawn low. */
  readonly isCalm: boolean;
  /** What is said in the lane itself, e.g. what it waits for; empty if the picture says enough. */
  readonly remark: string;
  /** Oldest first; they do not overlap. */
  readonly runs: readonly LaneRun[];
  /** Oldest first; they do not overlap. */
  readonly waits: readonly LaneWait[];
  readonly attempts: FailedAttempts | null;
  /** When the container printed each line of its log, oldest first; empty if the log was not recorded. */
  readonly logLinesAtMs: readonly number[];
  readonly next: NextStart | null;
  readonly reset: LaneMoment | null;
}

/**
 * seen: its times are the API's. inferred: it is known that it was, and roughly when; its place in the picture is only one
 * of many, and the picture must not look as if it were more.
 */
type Basis = "seen" | "inferred";

/** One instance, from its start to its end (or to now, if it goes on). */
export interface LaneRun {
  readonly startMs: number;
  readonly endMs: number;
  readonly basis: Basis;
  readonly end: "goes-on" | "failed" | "succeeded" | "unknown";
  /** What stands at its end if there is room, e.g. "exit 137 OOM". */
  readonly label: string;
  readonly title: string;
}

export interface LaneWait {
  readonly startMs: number;
  readonly endMs: number;
  /** Where it would end if the back-off did not reset in the middle of it; else null. */
  readonly wouldEndMs: number | null;
  readonly basis: Basis;
  /** When kubectl shows CrashLoopBackOff in it; nothing where that is not drawn. */
  readonly shownMs?: readonly [number, number] | null;
  readonly label: string;
  readonly title: string;
}

/** Attempts to start a container that failed; of all of them, only the first and the newest instant are observed. */
export interface FailedAttempts {
  readonly firstAtMs: number;
  readonly newestAtMs: number;
  readonly label: string;
  readonly title: string;
}

/** The window in which the next instance starts. */
export interface NextStart {
  readonly what: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly label: string;
  readonly title: string;
}

export interface LaneMoment {
  readonly atMs: number;
  readonly label: string;
  readonly title: string;
}
