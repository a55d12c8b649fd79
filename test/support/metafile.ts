import type { Metafile } from "esbuild";

/**
 * The packages that are loaded together with these files of a bundle, in the order of the alphabet: all that they import, and
 * what that imports. What is imported by `import()` is loaded later, if at all.
 */
export function eagerPackages({ inputs }: Metafile, files: readonly string[]): string[] {
  const seen = new Set<string>();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const imports = inputs[file]?.imports.filter(({ kind }) => kind !== "dynamic-import") ?? [];
    open.push(...imports.map(({ path }) => path));
  }
  const packages = [...seen].flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  return [...new Set(packages)].sort();
}
