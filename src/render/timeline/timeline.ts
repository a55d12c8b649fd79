import type { Tone } from "../page/paint.ts";

/** The runs and waits that a picture shows over time. Each container, or each simulation, has a lane. */
export interface Timeline {
  readonly lanes: readonly Lane[];
  /** Null in a simulation. */
  readonly nowMs: number | null;
  readonly clock: Clock;
}

/** The form of instants: times of day in a zone (undefined: the process's own), or the time elapsed since 0. */
export type Clock = { readonly kind: "zone"; readonly timeZone: string | undefined } | { readonly kind: "elapsed" };

export interface Lane {
  readonly name: string;
  /** The text after the name, e.g. " (init)"; "" if there is none. */
  readonly role: string;
  /** A few words below the name, e.g. "running, 3 restarts". */
  readonly state: string;
  readonly tone: Tone;
  /** Whether the container is not failing. Its lane is then low. */
  readonly isCalm: boolean;
  /** A text inside the lane, e.g. why the container cannot start; "" if there is none. */
  readonly remark: string;
  /** Oldest first. */
  readonly runs: readonly LaneRun[];
  readonly waits: readonly LaneWait[];
  /** Failed attempts to start the container; null if there are none. The API reports only the first and the newest. */
  readonly attempts: (Described & { readonly firstAtMs: number; readonly newestAtMs: number }) | null;
  /** When the lines of the container's log were written, oldest first; empty if the log was not recorded. */
  readonly logLinesAtMs: readonly number[];
  /** The window of the next start; null if unknown. */
  readonly next: (Described & { readonly fromMs: number; readonly toMs: number }) | null;
  readonly reset: (Described & { readonly atMs: number }) | null;
}

interface Described {
  /** The text in the picture, e.g. "exit 137 OOM". It is left out if there is no room. */
  readonly label: string;
  /** The tooltip. */
  readonly title: string;
}

interface Stretch extends Described {
  readonly startMs: number;
  readonly endMs: number;
  /** `observed`: the API reports the instants. `inferred`: the instants are estimated, and the picture must show that. */
  readonly basis: "observed" | "inferred";
}

export interface LaneRun extends Stretch {
  /** `never-ran`: the runtime could not start the program. */
  readonly end: "goes-on" | "failed" | "succeeded" | "never-ran" | "unknown";
}

export interface LaneWait extends Stretch {
  /** The end of the delay if the back-off resets before; null if it does not. */
  readonly wouldEndMs: number | null;
  /** From when to when kubectl shows CrashLoopBackOff. Only simulations have this. */
  readonly crashLoopBackOffMs?: readonly [number, number] | null;
}
