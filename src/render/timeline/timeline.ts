import type { Tone } from "../page/paint.ts";

/** Runs and waits of containers over time, for a picture: one lane each, on a common axis. */
export interface Timeline {
  readonly lanes: readonly Lane[];
  /** Null in a simulation. */
  readonly nowMs: number | null;
  readonly clock: Clock;
}

/** Labels are times of day in a zone (undefined: the process's own), or the time elapsed since 0. */
export type Clock = { readonly kind: "zone"; readonly timeZone: string | undefined } | { readonly kind: "elapsed" };

export interface Lane {
  readonly name: string;
  /** The text after the name, e.g. " (init)", or empty. */
  readonly role: string;
  /** Names of containers that look the same and have no lane of their own. */
  readonly twins: readonly string[];
  /** A few words under the name. */
  readonly state: string;
  readonly tone: Tone;
  /** A lane that needs no attention is drawn low. */
  readonly isCalm: boolean;
  /** A text inside the lane, e.g. why the container cannot start, or empty. */
  readonly remark: string;
  /** Oldest first; they do not overlap. */
  readonly runs: readonly LaneRun[];
  /** Oldest first; they do not overlap. */
  readonly waits: readonly LaneWait[];
  /** Failed attempts to start the container; the API reports only the first and the newest instant. */
  readonly attempts: (Described & { readonly firstAtMs: number; readonly newestAtMs: number }) | null;
  /** The instants of the lines of the container's log, oldest first; empty if the log was not recorded. */
  readonly logLinesAtMs: readonly number[];
  /** The window of the next start, which `what` names for the legend. */
  readonly next: (Described & { readonly what: string; readonly fromMs: number; readonly toMs: number }) | null;
  readonly reset: (Described & { readonly atMs: number }) | null;
}

interface Described {
  /** A text in the picture if there is room, e.g. "exit 137 OOM". */
  readonly label: string;
  /** The tooltip. */
  readonly title: string;
}

/** Part of a lane. */
interface Stretch extends Described {
  readonly startMs: number;
  readonly endMs: number;
  /** `seen`: the API reports the instants. `inferred`: it happened at about this time, and the picture must show the doubt. */
  readonly basis: "seen" | "inferred";
}

/** One instance, from its start to its end, or to now if it still runs. */
export interface LaneRun extends Stretch {
  readonly end: "goes-on" | "failed" | "succeeded" | "unknown";
}

export interface LaneWait extends Stretch {
  /** The end of the delay if the back-off resets before it; else null. */
  readonly wouldEndMs: number | null;
  /** The time in which kubectl shows CrashLoopBackOff; only a simulation draws it. */
  readonly shownMs?: readonly [number, number] | null;
}
