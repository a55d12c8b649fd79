import * as Flags from "@oclif/core/flags";

/** For whoever looks for what went wrong; kubectl has no global flag of this name (`kubectl options`, v1.37.1). */
export const DEBUG_FLAG = {
  debug: Flags.boolean({
    description: "Say on stderr what is asked, how long it takes, and which rules fire; without secrets",
  }),
};
