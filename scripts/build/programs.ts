import { COMMAND_TABLE } from "../../src/commands/completion/command-table.ts";
import { type Bundle, bundle } from "./bundle.ts";
import type { Program } from "./executable.ts";

/** A program that can be made into a file, and what it is made of. */
export interface BundledProgram extends Program, Bundle {}

const TOO_OLD = "Error: kubectl-backoff needs Node.js 22.20 or newer, and this is %s. Install a newer one.\n";

/** What `explain POD` is: imported later, for other commands have no need of it. */
export const ALWAYS_NEEDED = [
  "src/cluster/connect.ts",
  "src/cluster/target-observe.ts",
  "src/cluster/connection/timers.ts",
  "src/commands/connection-options.ts",
  "src/commands/explain.ts",
  "src/commands/kubectl-values.ts",
  "src/render/table.ts",
];

/** kubectl-backoff itself. */
export async function mainProgram(): Promise<BundledProgram> {
  return {
    ...(await bundle("bin/main.js", ALWAYS_NEEDED)),
    name: "program",
    // The one first that may be left out.
    commands: [...new Set(["explain", ...Object.keys(COMMAND_TABLE)])],
    refusal: { stream: "stderr", text: TOO_OLD, exitCode: 1 },
  };
}

/** What kubectl asks at the TAB. */
export async function completionProgram(): Promise<BundledProgram> {
  return {
    ...(await bundle("bin/complete.js")),
    name: "completion",
    commands: [],
    // Nothing is completed, and nothing is said into the middle of the command line.
    refusal: { stream: "stdout", text: ":4\n", exitCode: 0 },
  };
}
