import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { repositoryFile, runFile } from "./command.ts";

/** The files that `npm run build` makes. */
export interface BuiltProgram {
  readonly main: string;
  readonly completion: string;
}

/** Builds the program for the tests of a file or a `describe`; anybody may run it, and it is gone after them. */
export function useBuiltProgram(): BuiltProgram {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-built-"));
  const main = join(folder, "kubectl-backoff");
  beforeAll(async () => {
    await build(main);
    chmodSync(folder, 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return { main, completion: join(folder, "kubectl_complete-backoff") };
}

/** Builds it as this file, and what completes beside it. */
export async function build(main: string): Promise<void> {
  const run = await runFile(repositoryFile("scripts/build.ts"), [main], { cwd: repositoryFile(".") });
  expect(run).toMatchObject({ exitCode: 0 });
}
