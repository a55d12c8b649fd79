import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { executableFile } from "./build/executable.ts";
import { completionProgram, mainProgram } from "./build/programs.ts";

/** One file that needs nothing but Node: it can be copied anywhere in PATH. Another place may be given as argument. */
const OUTPUT = process.argv[2] ?? "dist/kubectl-backoff";
/** Another one beside it, which kubectl knows by this name. */
const COMPLETION = join(dirname(OUTPUT), "kubectl_complete-backoff");

function write(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

mkdirSync(dirname(OUTPUT), { recursive: true });
write(OUTPUT, await executableFile(await mainProgram()));
write(COMPLETION, await executableFile(await completionProgram()));
