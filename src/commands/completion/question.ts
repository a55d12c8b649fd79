import type { Completion } from "./candidates.ts";
import type { Line } from "./line.ts";
import type { LookUpOptions } from "./look-up.ts";
import type { CommandTable } from "./table-of.ts";

/** What is to be completed, and what helps. */
export interface Question {
  readonly line: Line;
  /** What is typed of it. */
  readonly text: string;
  readonly table: CommandTable;
  readonly lookUp: LookUpOptions;
  /** Takes what is known so far: the last one is the answer, also if there was no time for more. */
  readonly onFound: (completion: Completion) => void;
}
