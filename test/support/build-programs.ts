import { chmodSync, copyFileSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { bundle } from "../../scripts/build/bundle.ts";
import { compile } from "../../scripts/compile/compile.ts";

/** `completion` is the same program under the name that kubectl runs to complete command lines. */
interface BuiltProgram {
  readonly main: string;
  readonly completion: string;
}

declare module "vitest" {
  interface ProvidedContext {
    executable: BuiltProgram;
    script: BuiltProgram;
  }
}

/** Every user may read the folder, because a test runs the program as another user. */
export default async function buildPrograms(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-built-"));
  chmodSync(folder, 0o755);
  project.provide("executable", executable(folder));
  project.provide("script", await script(join(folder, "script")));
  return () => rmSync(folder, { recursive: true });
}

/**
 * The variable KUBECTL_BACKOFF_EXECUTABLE names an executable to test instead of a new build, e.g. one from an archive.
 */
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
