import type { Missing } from "./reading.ts";

/** The end of the log of one instance of a container, or why it could not be read. */
export interface ContainerLog {
  readonly container: string;
  /** last-exit: the instance that has crashed last; running: the one that runs. */
  readonly instance: "last-exit" | "running";
  readonly text: LogLines | LogMissing;
}

/** The last lines of a log, oldest first. */
export interface LogLines {
  readonly lines: readonly string[];
  /** They are fewer or shorter than the lines asked for, which hold too many bytes. */
  readonly isTruncated: boolean;
}

/** Why there is no log, and the server's words. */
export interface LogMissing {
  readonly why: Missing["why"];
  readonly message: string;
}
