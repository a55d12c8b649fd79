/** What was read of one object, and what of it could not be. */
export interface Reading {
  /** Paths of what was present and could not be used, so that it counts as absent; left out without any. */
  readonly unusable?: readonly string[];
}

/** An object as the API prints it, unchecked. */
export interface SourceObject {
  readonly kind: string;
  readonly raw: unknown;
}

/** What was read from objects of the API. */
export interface Sources {
  /** The objects; left out where no report will be made from them, because they are large. */
  readonly objects?: readonly SourceObject[];
}

/** Something that was asked for and not had. */
export interface Missing {
  readonly what: "events" | "node" | "node-events" | "node-config";
  readonly why: "forbidden" | "not-found" | "timeout" | "unreachable" | "not-asked" | "not-in-input" | "ambiguous";
}

/** One entry of `status.conditions`, of a pod or of a node. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string | null;
  readonly message: string | null;
  readonly lastTransitionAtMs: number | null;
}

/** Whether the kubelet starts a container again that has exited: always, after a failure, or never. */
export type RestartPolicy = "Always" | "OnFailure" | "Never";

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
