import { cacheFile, keepCode, readCode } from "./code-cache.ts";
import { program } from "./program.ts";
import { hasCompiled, type Part, type PerPart, runParts } from "./run-parts.ts";

/** Runs the program, or says that this Node is too old for it. */
export function startProgram(start: () => void): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 20)) start();
  else {
    const { stream, text, exitCode } = program.refusal;
    process[stream].write(text.replace("%s", process.version));
    process.exitCode = exitCode;
  }
}

/**
 * Runs the program's code. To compile it takes longer than to run it, so it is taken compiled: as `compiled`, if this very Node
 * has done that, else from a file that an earlier run has left.
 */
export function runCode(filename: string, sourceOf: (part: Part) => string, compiled: PerPart<Buffer> | null): void {
  const cache = compiled === null ? cacheFile() : null;
  const kept = cache === null ? null : readCode(cache);
  const known = compiled ?? kept?.compiled ?? { first: null, rest: null };
  const scripts = runParts(filename, sourceOf, known);
  if (cache === null) return;
  process.on("exit", () => {
    if (kept?.isOld === true || hasCompiled(scripts, known)) keepCode(cache, scripts);
  });
}
