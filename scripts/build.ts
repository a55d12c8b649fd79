import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundle } from "./build/bundle.ts";

const OUTPUT = process.argv[2] ?? "dist/kubectl-backoff";
/** kubectl runs a file of this name to complete command lines. */
const COMPLETION = join(dirname(OUTPUT), "kubectl_complete-backoff");

mkdirSync(dirname(OUTPUT), { recursive: true });
for (const [file, entryPoint] of [
  [OUTPUT, "main.js"],
  [COMPLETION, "complete.js"],
] as const) {
  writeFileSync(file, (await bundle(entryPoint)).code);
  chmodSync(file, 0o755);
}
