export interface Reading {
  /** Paths of fields that were present but invalid, so that they count as absent; left out without any. */
  readonly unusable?: readonly string[];
}

/** An object as the API prints it, unchecked. */
export interface SourceObject {
  readonly kind: string;
  readonly raw: unknown;
}

export interface Sources {
  /** The objects of the API that were read; only kept for a report (`--report`), because they are large. */
  readonly objects?: readonly SourceObject[];
}

/** Data that the program wanted to read, and why it could not. */
export interface Missing {
  readonly what: "events" | "node" | "node-events" | "node-config";
  readonly why: "forbidden" | "not-found" | "timeout" | "unreachable" | "not-asked" | "not-in-input" | "ambiguous";
}

/** One entry of `status.conditions`, of a pod, a node or a workload. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string | null;
  readonly message: string | null;
  readonly lastTransitionAtMs: number | null;
}

export type RestartPolicy = "Always" | "OnFailure" | "Never";

/** The end of the log of one instance of a container, or why it could not be read. */
export interface ContainerLog {
  readonly container: string;
  readonly instance: "last-exit" | "running";
  readonly text: LogLines | LogMissing;
}

export interface LogLines {
  /** Oldest first. */
  readonly lines: readonly string[];
  /** The requested lines exceed the limit in bytes, so some are left out or cut. */
  readonly isTruncated: boolean;
}

export interface LogMissing {
  readonly why: Missing["why"];
  /** The server's words. */
  readonly message: string;
}
