import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Part } from "../build/starter/run-parts.ts";
import { runParts } from "../build/starter/run-parts.ts";

/**
 * Runs the program whose scripts are in a folder, and writes what of them was compiled, together with what is there already:
 * `node compile.ts FOLDER [ARGUMENTS]`. To be run by the Node that the compiled code is for: no other takes it.
 */
const [folder = "", ...argv] = process.argv.slice(2);
const compiledFile = (part: Part): string => join(folder, `${part}.compiled`);
const compiledOf = (part: Part): Buffer | null =>
  existsSync(compiledFile(part)) ? readFileSync(compiledFile(part)) : null;

process.argv.splice(1, process.argv.length, join(folder, "first"), ...argv);
const sourceOf = (part: Part): string => readFileSync(join(folder, part), "latin1");
const scripts = runParts("program.js", sourceOf, { first: compiledOf("first"), rest: compiledOf("rest") });
process.on("exit", () => {
  for (const part of ["first", "rest"] as const) {
    const script = scripts[part];
    if (script?.cachedDataRejected === true) throw new Error(`${compiledFile(part)} is of another Node.`);
    if (script !== null) writeFileSync(compiledFile(part), script.createCachedData());
  }
});
