import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundle } from "./build/bundle.ts";

/** One file that needs nothing but Node: it can be copied anywhere in PATH. The first argument names another place for it. */
const OUTPUT = process.argv[2] ?? "dist/kubectl-backoff";
/** The file beside it that completes command lines; kubectl looks for this name. */
const COMPLETION = join(dirname(OUTPUT), "kubectl_complete-backoff");

mkdirSync(dirname(OUTPUT), { recursive: true });
for (const [file, entryPoint] of [
  [OUTPUT, "main.js"],
  [COMPLETION, "complete.js"],
] as const) {
  writeFileSync(file, (await bundle(entryPoint)).code);
  chmodSync(file, 0o755);
}
