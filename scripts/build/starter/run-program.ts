import { cacheFile, keepCode, readCode } from "./code-cache.ts";
import { program } from "./program.ts";

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
export function runCode(source: string, filename: string, compiled: Buffer | null): void {
  const { Script } = process.getBuiltinModule("node:vm");
  const cache = compiled === null ? cacheFile() : null;
  const { bytes, isOld } = cache === null ? { bytes: compiled, isOld: false } : readCode(cache);
  const script = new Script(source, { filename, ...(bytes !== null && { cachedData: bytes }) });
  if (cache !== null && (isOld || script.cachedDataRejected === true))
    process.on("exit", () => keepCode(cache, script.createCachedData()));
  script.runInThisContext();
}
