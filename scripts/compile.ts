import { linkSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { compile } from "./compile/compile.ts";

const OUTPUT = process.argv[2] ?? `dist/compiled/kubectl-backoff${process.platform === "win32" ? ".exe" : ""}`;
const COMPLETION = join(dirname(OUTPUT), `kubectl_complete-backoff${process.platform === "win32" ? ".exe" : ""}`);

mkdirSync(dirname(OUTPUT), { recursive: true });
rmSync(OUTPUT, { force: true });
rmSync(COMPLETION, { force: true });
compile(OUTPUT);
linkSync(OUTPUT, COMPLETION);
