import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { COMMAND_TABLE } from "../src/commands/completion/command-table.ts";
import { bundle } from "./build/bundle.ts";
import { executableFile, type Program } from "./build/executable.ts";

/** One file that needs nothing but Node: it can be copied anywhere in PATH. Another place may be given as argument. */
const OUTPUT = process.argv[2] ?? "dist/kubectl-backoff";
/** Another one beside it, which kubectl knows by this name. */
const COMPLETION = join(dirname(OUTPUT), "kubectl_complete-backoff");

/** The commands, the one first that may be left out. */
const COMMANDS = [...new Set(["explain", ...Object.keys(COMMAND_TABLE)])];

const TOO_OLD = "Error: kubectl-backoff needs Node.js 22.20 or newer, and this is %s. Install a newer one.\n";

async function write(file: string, entryPoint: string, program: Omit<Program, "code">): Promise<void> {
  const { code } = await bundle(entryPoint);
  writeFileSync(file, await executableFile({ ...program, code }));
  chmodSync(file, 0o755);
}

mkdirSync(dirname(OUTPUT), { recursive: true });
await write(OUTPUT, "bin/main.js", {
  name: "program",
  commands: COMMANDS,
  refusal: { stream: "stderr", text: TOO_OLD, exitCode: 1 },
});
// Nothing is completed, and nothing is said into the middle of the command line.
await write(COMPLETION, "bin/complete.js", {
  name: "completion",
  commands: [],
  refusal: { stream: "stdout", text: ":4\n", exitCode: 0 },
});
