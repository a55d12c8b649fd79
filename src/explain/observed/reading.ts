export interface Reading {
  /** The paths of fields with values that the program cannot use and treats as absent. */
  readonly unusable?: readonly string[];
}

/** `raw` is the object as the API server sent it or as a file has it, unchecked. */
export interface SourceObject {
  readonly kind: string;
  readonly raw: unknown;
}

export interface Sources {
  readonly objects?: readonly SourceObject[];
}

export interface Missing {
  readonly what: "events" | "node" | "node-events" | "node-config";
  readonly why: "forbidden" | "not-found" | "timeout" | "unreachable" | "not-asked" | "not-in-input" | "ambiguous";
}

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string | null;
  readonly message: string | null;
  readonly lastTransitionAtMs: number | null;
}

export interface ContainerLog {
  readonly container: string;
  readonly instance: "last-exit" | "running";
  readonly text: LogLines | LogMissing;
  /** How many of the last lines to show; without it, all. Lines that are not shown can still help to find the error. */
  readonly shownLines?: number;
}

export interface LogLines {
  readonly lines: readonly string[];
  /** Whether lines may be missing or cut off because of a size limit. */
  readonly isTruncated: boolean;
}

export interface LogMissing {
  readonly why: Missing["why"];
  readonly message: string;
}
