import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Script } from "node:vm";

/**
 * Runs a program's code and writes what of it was compiled, together with what is in that file already:
 * `node compile.ts CODE COMPILED [ARGUMENTS]`. To be run by the Node that the compiled code is for: no other takes it.
 */
const [codeFile = "", compiledFile = "", ...argv] = process.argv.slice(2);
const cachedData = existsSync(compiledFile) ? readFileSync(compiledFile) : undefined;
const source = readFileSync(codeFile, "latin1");
const script = new Script(source, { filename: "program.js", ...(cachedData !== undefined && { cachedData }) });
if (script.cachedDataRejected === true) throw new Error(`${compiledFile} is of another Node.`);
process.argv.splice(1, process.argv.length, codeFile, ...argv);
process.on("exit", () => writeFileSync(compiledFile, script.createCachedData()));
script.runInThisContext();
