import type { Script } from "node:vm";

/** The program's two scripts: what every explanation takes, and the rest. */
export type Part = "first" | "rest";

/** The parts of something that there is one of for each script; null for one that there is not. */
export type PerPart<Value> = Readonly<Record<Part, Value | null>>;

/**
 * Runs the program, whose second script is read and run when something of it is asked for. `sourceOf` gives the text of a
 * script, `compiled` is what has been compiled of them before. The result has the scripts that have been run so far.
 */
export function runParts(
  filename: string,
  sourceOf: (part: Part) => string,
  compiled: PerPart<Buffer>,
): PerPart<Script> {
  const { Script } = process.getBuiltinModule("node:vm");
  const scripts: Record<Part, Script | null> = { first: null, rest: null };
  const run = (part: Part): ((loadRest: unknown) => void) => {
    const cachedData = compiled[part];
    const script = new Script(sourceOf(part), { filename, ...(cachedData !== null && { cachedData }) });
    scripts[part] = script;
    return script.runInThisContext();
  };
  run("first")(() => run("rest"));
  return scripts;
}

/** Whether a script that has been run had to be compiled, because nothing compiled of it was of use. */
export function hasCompiled(scripts: PerPart<Script>, compiled: PerPart<Buffer>): boolean {
  const { first, rest } = scripts;
  return [
    { script: first, bytes: compiled.first },
    { script: rest, bytes: compiled.rest },
  ].some(({ script, bytes }) => script !== null && (bytes === null || script.cachedDataRejected === true));
}
