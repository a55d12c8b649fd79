import type { Missing } from "./reading.ts";

export interface Catch {
  readonly container: string;
  /** Instants are by the node's clock. Null if the run had not begun when the recording ended. */
  readonly run: CaughtRun | null;
  readonly ended: "exited" | "recovered" | "deleted" | "timed-out" | "interrupted";
  readonly log: CaughtLog;
  /** `log` and `arrivals` may lack what happened in these times. */
  readonly disconnected: readonly Disconnection[];
  /** Redacted copies of objects that the API server sent. Copies can be missing, e.g. because of a size limit. */
  readonly arrivals: readonly Arrival[];
}

interface CaughtRun {
  readonly start: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly exitCode: number | null;
}

export interface Disconnection {
  readonly sinceMs: number;
  readonly untilMs: number | null;
  readonly because: string;
}

export interface Arrival {
  /** By the API server's clock, if it is known. */
  readonly atMs: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly kind: string;
  readonly object: unknown;
}

/** What the program has read of the recorded run's log, or only its end because of a size limit. */
export interface CaughtLog {
  readonly lines: readonly LogLine[];
  readonly leftOut: { readonly lines: number; readonly bytes: number };
  readonly isComplete: boolean;
  /** A known reason why the log or its end is missing. */
  readonly missing: Missing["why"] | null;
}

export interface LogLine {
  /** When the line arrived, by the API server's clock if that is known. */
  readonly atMs: number;
  /** The line's own timestamp, by the node's clock, in RFC 3339. */
  readonly time: string | null;
  readonly text: string;
  /** The number of characters cut off at the end of the line. */
  readonly cut: number;
}
