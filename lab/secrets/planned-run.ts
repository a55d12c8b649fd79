import type { Run } from "../../test/support/command.ts";

export interface PlannedRun {
  readonly what: string;
  readonly argv: readonly string[];
  /** Added to PATH, HOME and BACKOFF_SECRET. */
  readonly env?: Readonly<Record<string, string>>;
  /** Null: any exit code. */
  readonly exitCode: number | null;
  /** Must match stdout, stderr and the written file together, as proof that the run reached the intended place. */
  readonly says: RegExp;
  readonly writes?: string;
  readonly breaks?: "in the command" | "on the side";
  readonly isCompletion?: boolean;
}

export interface RunOutcome extends Run {
  /** "host:port" of the connections that the run opened. */
  readonly hosts: readonly string[];
}
