/** A run of the program, and what shows that it has got where it was to get. */
export interface PlannedRun {
  /** In words: what is the case. */
  readonly what: string;
  /** After `kubectl backoff`. */
  readonly argv: readonly string[];
  /** What the environment has besides PATH, HOME and a secret. */
  readonly env?: Readonly<Record<string, string>>;
  /** Null if it does not matter, because usage is wrong in more than one way. */
  readonly exitCode: number | null;
  /** Of stdout and stderr together. */
  readonly says: RegExp;
  /** The file that it is asked to write. */
  readonly writes?: string;
  /** How it breaks in a way that nobody foresaw; by default it does not. */
  readonly breaks?: "in the command" | "on the side";
  /** Whether it shows what it is to show only as a process of its own. */
  readonly needsProcess?: boolean;
  /** Whether it is a completion: then `argv` is the command line. */
  readonly isCompletion?: boolean;
}

/** How it went. */
export interface RunOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Where connections were opened to: "host:port". */
  readonly hosts: readonly string[];
}
