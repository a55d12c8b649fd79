import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandFor } from "../../test/support/command-for.ts";
import type { PlannedRun } from "./planned-run.ts";
import { type Ended, ended, type Programs } from "./run-as-process.ts";

/** A home, a current folder and one for temporary files, all empty. */
export interface Sandbox {
  readonly folder: string;
  readonly home: string;
  /** Runs it as somebody whose folders these are; with `wrapper` before it. */
  run(programs: Programs, run: PlannedRun, wrapper?: readonly string[]): Promise<Ended>;
  /** Everything in it: mode and path. */
  listing(): string[];
  /** What is in all its files, one after the other. */
  contents(): string;
}

/** A user who is not root, so that modes count. */
const NOBODY = 65_534;

/** Makes one; the caller removes `folder`. */
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

/** What comes before a command so that it runs without root's rights; nothing for who has none. */
export function withoutRoot(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  return ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
}
