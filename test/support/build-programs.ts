import { chmodSync, copyFileSync, linkSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import type { Programs } from "../../lab/secrets/run-as-process.ts";
import { writeBundles } from "../../scripts/build/bundle.ts";
import { compile } from "../../scripts/compile/compile.ts";

declare module "vitest" {
  interface ProvidedContext {
    executable: Programs;
    script: Programs;
  }
}

/** Every user may read the folder, because a test runs the program as another user. */
export default async function buildPrograms(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-built-"));
  chmodSync(folder, 0o755);
  project.provide("executable", executable(folder));
  project.provide("script", await writeBundles(join(folder, "script", "kubectl-backoff")));
  return () => rmSync(folder, { recursive: true });
}

/**
 * The variable KUBECTL_BACKOFF_EXECUTABLE names an executable to test instead of a new build, e.g. one from an archive.
 */
function executable(folder: string): Programs {
  const given = process.env["KUBECTL_BACKOFF_EXECUTABLE"];
  const main =
    given !== undefined ? resolve(given) : join(folder, `kubectl-backoff${process.platform === "win32" ? ".exe" : ""}`);
  if (given === undefined) compile(main);
  const completion = join(folder, basename(main).replace("kubectl-", "kubectl_complete-"));
  if (given === undefined) linkSync(main, completion);
  else copyFileSync(main, completion);
  return { main, completion };
}
