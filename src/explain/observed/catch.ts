import type { Missing } from "./reading.ts";

/** What was caught of one run of a container: what `catch` writes into its file. All instants are by the API server's clock. */
export interface Catch {
  readonly container: string;
  /** Null: it had not begun. */
  readonly run: CaughtRun | null;
  /** What ended the catch. */
  readonly ended: "exited" | "recovered" | "deleted" | "timed-out" | "interrupted";
  readonly log: CaughtLog;
  /** Objects in the order in which they arrived: every version of the pod and of its events, the newest of all others. */
  readonly arrivals: readonly Arrival[];
}

/** The run that was caught, as the pod's status tells of it. */
interface CaughtRun {
  /** Its restartCount. */
  readonly start: number;
  readonly startedAtMs: number | null;
  /** Null while it runs, and where its end was not observed. */
  readonly finishedAtMs: number | null;
  readonly exitCode: number | null;
}

/** An object, and when it arrived. */
export interface Arrival {
  readonly atMs: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly kind: string;
  readonly object: unknown;
}

/** The log of the run, or only its last part if the whole log is too large. */
export interface CaughtLog {
  readonly lines: readonly LogLine[];
  /** What came before these lines. */
  readonly leftOut: { readonly lines: number; readonly bytes: number };
  /** Whether the log was read to the end of the run. */
  readonly isComplete: boolean;
  /** Why there is none; null where there is one, if only an empty one. */
  readonly missing: Missing["why"] | null;
}

/** One line. */
export interface LogLine {
  /** When it arrived. */
  readonly atMs: number;
  /** When it was written by the node's clock, in RFC 3339 with nanoseconds; null if that is not known. */
  readonly time: string | null;
  readonly text: string;
  /** So many characters of its end are left out. */
  readonly cut: number;
}
