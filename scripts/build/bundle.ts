import type { Metafile } from "esbuild";
import { join, type Split, split } from "./split.ts";

/** A program as two scripts, and what went into it. */
export interface Bundle {
  readonly code: Parts;
  readonly metafile: Metafile;
}

/**
 * What is always needed, and what is read when something else is asked for: to read less is to start sooner. Both are ASCII, and
 * a function each: `first` runs the program and is given one that loads `rest`; that is given what it needs of the first.
 */
export interface Parts {
  readonly first: string;
  readonly rest: string;
}

/** Everything that an entry point needs but Node. `first` names the modules that it imports later, yet nearly always. */
export async function bundle(entryPoint: string, first: readonly string[] = []): Promise<Bundle> {
  const pieces = await split(entryPoint, first);
  const rest = [...pieces.texts.keys()].filter((name) => !pieces.first.has(name));
  return {
    code: { first: inAscii(await firstPart(pieces, rest)), rest: inAscii(await restPart(pieces, rest)) },
    metafile: pieces.metafile,
  };
}

/** Runs the program, and gives the rest each piece that it imports. */
async function firstPart(pieces: Split, rest: readonly string[]): Promise<string> {
  const shared = [...pieces.first].filter((name) => isImportedBy(name, rest, pieces));
  const entry = [`import "./${pieces.main}";`, `__share(${table(shared)});`];
  const code = await join(pieces, entry.join("\n"), (name) =>
    pieces.first.has(name) ? null : `module.exports = __rest("${name}");`,
  );
  return `((__loadRest) => {
    "use strict";
    let __shared, __loaded;
    const __share = (shared) => { __shared = shared; };
    const __rest = (name) => (__loaded ??= __loadRest()(__shared))[name]();
    ${code}
  })`;
}

/** Gives each piece that the first part imports. */
async function restPart(pieces: Split, rest: readonly string[]): Promise<string> {
  const wanted = rest.filter((name) => isImportedBy(name, [...pieces.first], pieces));
  const code = await join(pieces, `module.exports = ${table(wanted)};`, (name) =>
    pieces.first.has(name) ? `module.exports = __shared["${name}"]();` : null,
  );
  return `((__shared) => { "use strict"; ${code} return __joined; })`;
}

/** Pieces by their names, each loaded when it is first wanted. */
function table(names: readonly string[]): string {
  return `{ ${names.map((name) => `"${name}": () => require("./${name}")`).join(", ")} }`;
}

function isImportedBy(name: string, importers: readonly string[], { texts }: Split): boolean {
  return importers.some((importer) => texts.get(importer)?.includes(`"./${name}"`));
}

/** Regular expressions keep their letters otherwise. One byte for each character is half the memory, and faster to read. */
function inAscii(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
