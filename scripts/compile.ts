import { linkSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { compile } from "./compile/compile.ts";

/** The executable of a release for this machine: it needs neither Node nor Bun. The first argument names another place for it. */
const OUTPUT = process.argv[2] ?? `dist/compiled/kubectl-backoff${process.platform === "win32" ? ".exe" : ""}`;
/** The same file by the name that kubectl looks for, to complete command lines. */
const COMPLETION = join(dirname(OUTPUT), `kubectl_complete-backoff${process.platform === "win32" ? ".exe" : ""}`);

mkdirSync(dirname(OUTPUT), { recursive: true });
rmSync(OUTPUT, { force: true });
rmSync(COMPLETION, { force: true });
compile(OUTPUT);
linkSync(OUTPUT, COMPLETION);
