import type { Missing } from "./reading.ts";

/** The file that `catch` writes: a recording of one run of a container. */
export interface Catch {
  readonly container: string;
  /** The recorded run, with instants by the node's clock; null if it had not begun when the recording ended. */
  readonly run: CaughtRun | null;
  readonly ended: "exited" | "recovered" | "deleted" | "timed-out" | "interrupted";
  readonly log: CaughtLog;
  /** The periods without a connection, by the API server's clock. What happened in them may be missing. */
  readonly disconnected: readonly Disconnection[];
  /**
   * Redacted copies, in the order of arrival: all versions of the pod and its events, and the newest version of other
   * objects. The oldest are missing if all together exceeded the size limit.
   */
  readonly arrivals: readonly Arrival[];
}

interface CaughtRun {
  readonly start: number;
  readonly startedAtMs: number | null;
  /** Null if the run had not ended when the recording ended, or if its exit was not observed. */
  readonly finishedAtMs: number | null;
  readonly exitCode: number | null;
}

export interface Disconnection {
  readonly sinceMs: number;
  readonly untilMs: number | null;
  readonly because: string;
}

export interface Arrival {
  /** When the object arrived, by the API server's clock. */
  readonly atMs: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly kind: string;
  readonly object: unknown;
}

/** The log of the recorded run, or only its last lines if it exceeds the size limit. */
export interface CaughtLog {
  readonly lines: readonly LogLine[];
  readonly leftOut: { readonly lines: number; readonly bytes: number };
  readonly isComplete: boolean;
  /** Null if the program could read the log, even if the log is empty. */
  readonly missing: Missing["why"] | null;
}

export interface LogLine {
  /** When the line arrived, by the API server's clock. */
  readonly atMs: number;
  /** When the container wrote the line, by the node's clock, in RFC 3339 with nanoseconds; null if unknown. */
  readonly time: string | null;
  readonly text: string;
  /** The number of characters cut off at the end of the line. */
  readonly cut: number;
}
