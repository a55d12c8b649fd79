import type { Missing } from "./reading.ts";

/** One recorded run of a container: the content of the file that `catch` writes. All instants are by the API server's clock. */
export interface Catch {
  readonly container: string;
  /** Null: the run had not begun when the recording ended. */
  readonly run: CaughtRun | null;
  readonly ended: "exited" | "recovered" | "deleted" | "timed-out" | "interrupted";
  readonly log: CaughtLog;
  /** Objects in the order of their arrival: every version of the pod and of its events, the newest version of all others. */
  readonly arrivals: readonly Arrival[];
}

interface CaughtRun {
  /** The container's restartCount during the run. */
  readonly start: number;
  readonly startedAtMs: number | null;
  /** Null while it runs, or if the end was not observed. */
  readonly finishedAtMs: number | null;
  readonly exitCode: number | null;
}

/** One watch event, with the time at which it arrived. */
export interface Arrival {
  readonly atMs: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly kind: string;
  readonly object: unknown;
}

/** The log of the run; only its last part if the whole log exceeds the limit. */
export interface CaughtLog {
  readonly lines: readonly LogLine[];
  /** The part before `lines` that exceeded the limit. */
  readonly leftOut: { readonly lines: number; readonly bytes: number };
  /** The log was read to the end of the run. */
  readonly isComplete: boolean;
  /** Why there is no log; null if there is one, even an empty one. */
  readonly missing: Missing["why"] | null;
}

export interface LogLine {
  /** When the line arrived. */
  readonly atMs: number;
  /** When the container wrote the line, by the node's clock, in RFC 3339 with nanoseconds; null if unknown. */
  readonly time: string | null;
  readonly text: string;
  /** The number of characters cut off at its end. */
  readonly cut: number;
}
