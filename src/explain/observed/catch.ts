import type { Missing } from "./reading.ts";

/**
 * The file that `catch` writes: a recording of one run of a container. The times of `arrivals` are by the API server's
 * clock.
 */
export interface Catch {
  readonly container: string;
  /** The run, by the node's clock. Null if the run had not begun when the recording ended. */
  readonly run: CaughtRun | null;
  readonly ended: "exited" | "recovered" | "deleted" | "timed-out" | "interrupted";
  readonly log: CaughtLog;
  /** When nothing arrived from the API server, by its clock: what happened meanwhile may be missing. */
  readonly disconnected: readonly Disconnection[];
  /** In the order of their arrival: all versions of the pod and its events, the newest version of other objects. */
  readonly arrivals: readonly Arrival[];
}

interface CaughtRun {
  readonly start: number;
  readonly startedAtMs: number | null;
  /** Null if the container still runs, or if its exit was not observed. */
  readonly finishedAtMs: number | null;
  readonly exitCode: number | null;
}

export interface Disconnection {
  readonly sinceMs: number;
  /** Null if the recording ended before the connection was back. */
  readonly untilMs: number | null;
  readonly because: string;
}

/** An object from the API server, with the time of its arrival. */
export interface Arrival {
  readonly atMs: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly kind: string;
  readonly object: unknown;
}

/** The log of the run; if it exceeds the size limit, only its last lines. */
export interface CaughtLog {
  readonly lines: readonly LogLine[];
  readonly leftOut: { readonly lines: number; readonly bytes: number };
  /** Whether the program read the log to the end of the run. */
  readonly isComplete: boolean;
  /** Why there is no log; null if there is one, even an empty one. */
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
