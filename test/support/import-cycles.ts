import { importsOf, type SourceFile } from "./source-text.ts";

/**
 * Files that need each other to be loaded, as the shortest ways around: "a.ts > b.ts > a.ts". Types are left out, for they are
 * gone when the program runs, and so is what is imported only later: by then both files are complete.
 */
export function importCycles(files: readonly SourceFile[]): string[] {
  const imports = new Map(files.map((file) => [file.path, loadedBy(file)]));
  const ways = [...imports.keys()].flatMap((path) => wayAround(path, imports) ?? []);
  return [...new Set(ways.map(inWords))].sort();
}

function loadedBy(file: SourceFile): string[] {
  const needed = importsOf(file).filter(({ isTypeOnly, isDeferred }) => !isTypeOnly && !isDeferred);
  return needed.map(({ target }) => target);
}

/** The shortest way from a file over what it imports back to it, without its end; null if there is none. */
function wayAround(start: string, imports: ReadonlyMap<string, readonly string[]>): [string[]] | null {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of imports.get(way.at(-1) ?? "") ?? []) {
      if (next === start) return [way];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return null;
}

/** The same from whichever file of it one starts. */
function inWords(way: readonly string[]): string {
  const first = way.indexOf([...way].sort()[0] ?? "");
  const turned = [...way.slice(first), ...way.slice(0, first)];
  return [...turned, turned[0]].join(" > ");
}
