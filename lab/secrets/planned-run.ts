import type { Run } from "../../test/support/command.ts";

/** A run of the program, and what shows that it reached the intended place. */
export interface PlannedRun {
  readonly what: string;
  readonly argv: readonly string[];
  /** Besides PATH, HOME and a secret. */
  readonly env?: Readonly<Record<string, string>>;
  /** Null: any, because usage is wrong in more than one way. */
  readonly exitCode: number | null;
  /** Matches stdout and stderr together. */
  readonly says: RegExp;
  /** The file that the run writes. */
  readonly writes?: string;
  /** Where an unexpected error is thrown. */
  readonly breaks?: "in the command" | "on the side";
  /** Only a process of its own shows what the run is for. */
  readonly needsProcess?: boolean;
  /** `argv` is the command line to complete. */
  readonly isCompletion?: boolean;
}

export interface RunOutcome extends Run {
  /** "host:port" of every connection that was opened. */
  readonly hosts: readonly string[];
}
