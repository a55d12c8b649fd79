import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandFor } from "../../test/support/command-for.ts";
import type { PlannedRun } from "./planned-run.ts";
import { type Ended, ended, type Programs } from "./run-as-process.ts";

/** Empty folders: a home, a current folder, and one for temporary files. */
export interface Sandbox {
  readonly folder: string;
  readonly home: string;
  /** `wrapper`: a command before the program. */
  run(programs: Programs, run: PlannedRun, wrapper?: readonly string[]): Promise<Ended>;
  /** Mode and path of every file and folder. */
  listing(): string[];
  /** The text of all files together. */
  contents(): string;
}

/** A user who is not root, so that file modes count. */
const NOBODY = 65_534;

/** The caller removes `folder`. */
export function makeSandbox(): Sandbox {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-sandbox-"));
  chmodSync(folder, 0o755);
  const [home, cwd, temporary] = ["home", "cwd", "tmp"].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [home, cwd, temporary]) mkdirSync(path);
  const files = (): string[] => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);
  return {
    folder,
    home,
    run: (programs, run, wrapper = []) => {
      const file = run.isCompletion === true ? programs.completion : programs.main;
      const env = { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: temporary, ...run.env };
      return ended([...wrapper, ...commandFor(file), ...run.argv], cwd, env);
    },
    listing: () => files().map((path) => `${modeOf(join(folder, path))} ${path}`),
    contents: () =>
      files()
        .map((path) => join(folder, path))
        .filter((path) => lstatSync(path).isFile())
        .map((path) => readFileSync(path, "latin1"))
        .join("\n"),
  };
}

/** A wrapper that drops root's rights; empty if there are none. */
export function withoutRoot(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  return ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
}
