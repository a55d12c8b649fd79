/** What the build fills in. */
declare const PROGRAM: {
  /** The name of the program, for its files in the cache. */
  readonly name: string;
  /** Stands for the program's code: what was compiled of other code is of no use. */
  readonly hash: string;
  /** The first words that have compiled code of their own, for each needs little of the program; the first is the default. */
  readonly commands: readonly string[];
  /** What an older Node does: print this, with its version for %s, and end with this code. */
  readonly refusal: { readonly stream: "stdout" | "stderr"; readonly text: string; readonly exitCode: number };
  /** Whether it comes with its compiled code. */
  readonly isCompiled: boolean;
};

/** What the build has put into the starter. */
export const program = PROGRAM;
