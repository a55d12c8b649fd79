import type { Tone } from "../page/paint.ts";

export interface Timeline {
  readonly lanes: readonly Lane[];
  /** Null in a simulation. */
  readonly nowMs: number | null;
  readonly clock: Clock;
}

/** "zone": times of day. "elapsed": the time since the first start of a simulation. */
export type Clock = { readonly kind: "zone"; readonly timeZone: string | undefined } | { readonly kind: "elapsed" };

export interface Lane {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly tone: Tone;
  readonly isCalm: boolean;
  readonly remark: string;
  /** Oldest first. */
  readonly runs: readonly LaneRun[];
  readonly waits: readonly LaneWait[];
  readonly attempts: (Described & { readonly firstAtMs: number; readonly newestAtMs: number }) | null;
  /** Empty unless `catch` recorded the log. */
  readonly logLinesAtMs: readonly number[];
  readonly next: (Described & { readonly fromMs: number; readonly toMs: number }) | null;
  readonly reset: (Described & { readonly atMs: number }) | null;
}

interface Described {
  /** The picture can leave out a label for lack of room. */
  readonly label: string;
  /** The tooltip. */
  readonly title: string;
}

interface Stretch extends Described {
  readonly startMs: number;
  readonly endMs: number;
  /** `inferred`: the instants are estimated, and the picture must show that. */
  readonly basis: "observed" | "inferred";
}

export interface LaneRun extends Stretch {
  /** `never-ran`: the runtime could not start the program. */
  readonly end: "goes-on" | "failed" | "succeeded" | "never-ran" | "unknown";
}

export interface LaneWait extends Stretch {
  /** When the delay would end without a reset of the back-off. Set only if the back-off resets before this instant. */
  readonly wouldEndMs: number | null;
  /** From when to when kubectl shows CrashLoopBackOff. Set only for simulated waits in which kubectl shows it. */
  readonly crashLoopBackOffMs: readonly [number, number] | null;
}
