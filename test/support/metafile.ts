import type { Metafile } from "esbuild";

/**
 * What of these modules is in a program, and all that is loaded together with it: own modules by their files, others by their
 * packages, in the order of the alphabet. What is imported by `import()` is loaded later, if at all.
 */
export function eagerModules({ inputs, outputs }: Metafile, files: readonly string[]): string[] {
  const used = new Set(
    Object.values(outputs).flatMap((output) =>
      Object.entries(output.inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    ),
  );
  const seen = new Set<string>();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const imports = inputs[file]?.imports.filter(({ kind }) => kind !== "dynamic-import") ?? [];
    open.push(...imports.map(({ path }) => path));
  }
  const names = [...seen].filter((file) => used.has(file)).flatMap(nameOf);
  return [...new Set(names)].sort();
}

/** None for what the build itself puts there. */
function nameOf(file: string): readonly string[] {
  const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  return name !== undefined ? [name] : /^(src|bin)\//.test(file) ? [file] : [];
}
