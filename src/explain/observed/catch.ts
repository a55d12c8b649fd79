import type { Missing } from "./reading.ts";

export interface Catch {
  readonly container: string;
  /** Instants are by the node's clock. Null if the run had not begun when the recording ended. */
  readonly run: CaughtRun | null;
  readonly ended: "exited" | "recovered" | "deleted" | "timed-out" | "interrupted";
  readonly log: CaughtLog;
  /** Losses of the connection for 3 s or longer. `log` and `arrivals` may lack what happened meanwhile. */
  readonly disconnected: readonly Disconnection[];
  /**
   * Redacted copies of what the API server sent: each version of the pod and of its events, and the newest version of
   * each other object. The first arrivals are missing if all objects together exceeded the size limit.
   */
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
  /** When the object arrived, by the API server's clock. */
  readonly atMs: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly kind: string;
  readonly object: unknown;
}

/** The lines of the recorded run, or only its last lines if the log exceeds the size limit. */
export interface CaughtLog {
  readonly lines: readonly LogLine[];
  readonly leftOut: { readonly lines: number; readonly bytes: number };
  readonly isComplete: boolean;
  /**
   * Why there is no log, or no rest of it: "forbidden" or "not-found". Null otherwise, e.g. for an empty log. Null,
   * too, if only the connection failed, but then `isComplete` is false.
   */
  readonly missing: Missing["why"] | null;
}

export interface LogLine {
  /** When the line arrived, by the API server's clock. */
  readonly atMs: number;
  /** When the container wrote the line, by the node's clock, in RFC 3339 with nanoseconds. */
  readonly time: string | null;
  readonly text: string;
  /** The number of characters cut off at the end of the line. */
  readonly cut: number;
}
