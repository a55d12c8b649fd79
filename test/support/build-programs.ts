import { chmodSync, copyFileSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { bundle } from "../../scripts/build/bundle.ts";
import { compile } from "../../scripts/compile/compile.ts";

/** The files of a program: its own, and the one by the name that kubectl looks for to complete command lines. */
interface BuiltProgram {
  readonly main: string;
  readonly completion: string;
}

declare module "vitest" {
  interface ProvidedContext {
    executable: BuiltProgram;
    /** The JavaScript files for Node. */
    script: BuiltProgram;
  }
}

/** Builds the programs before the tests of them; everybody may run them, and they are gone afterwards. */
export default async function buildPrograms(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-built-"));
  chmodSync(folder, 0o755);
  project.provide("executable", executable(folder));
  project.provide("script", await script(join(folder, "script")));
  return () => rmSync(folder, { recursive: true });
}

/** Compiles the executable, unless KUBECTL_BACKOFF_EXECUTABLE names another one to test, e.g. one of an archive. */
function executable(folder: string): BuiltProgram {
  const given = process.env["KUBECTL_BACKOFF_EXECUTABLE"];
  const main =
    given !== undefined ? resolve(given) : join(folder, `kubectl-backoff${process.platform === "win32" ? ".exe" : ""}`);
  if (given === undefined) compile(main);
  const completion = join(folder, basename(main).replace("kubectl-", "kubectl_complete-"));
  if (given === undefined) linkSync(main, completion);
  else copyFileSync(main, completion);
  return { main, completion };
}

async function script(folder: string): Promise<BuiltProgram> {
  mkdirSync(folder);
  const built = { main: join(folder, "kubectl-backoff"), completion: join(folder, "kubectl_complete-backoff") };
  writeFileSync(built.main, (await bundle("main.js")).code, { mode: 0o755 });
  writeFileSync(built.completion, (await bundle("complete.js")).code, { mode: 0o755 });
  return built;
}
