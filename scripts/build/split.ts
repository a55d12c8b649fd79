import { basename } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { embedCommands, embedExamples } from "./embed.ts";
import { onDemand } from "./on-demand.ts";
import { plainTextInTables } from "./plain-text.ts";
import { withoutUnused } from "./unused.ts";

/** The modules of a program in pieces, none of which is loaded without all of what is in it being wanted. */
export interface Split {
  /** The text of each piece by its name: a module that imports others by their names. */
  readonly texts: ReadonlyMap<string, string>;
  /** Those that are loaded in every run that uses the modules which were asked for. */
  readonly first: ReadonlySet<string>;
  /** The one that runs the program. */
  readonly main: string;
  readonly metafile: Metafile;
}

/** Takes what can be asked of a program apart, along its `import()`s; `first` names the modules that are always asked for. */
export async function split(entryPoint: string, first: readonly string[]): Promise<Split> {
  const { outputFiles, metafile } = await build({
    entryPoints: [entryPoint],
    outdir: "pieces",
    entryNames: "main",
    chunkNames: "[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    platform: "node",
    target: "node22",
    format: "esm",
    write: false,
    metafile: true,
    legalComments: "none",
    plugins: [embedExamples, embedCommands, withoutUnused, plainTextInTables, onDemand],
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  return { texts, first: piecesOf(metafile, [entryPoint, ...first]), main: "main.js", metafile };
}

function piecesOf({ outputs }: Metafile, entryPoints: readonly string[]): ReadonlySet<string> {
  const open = Object.keys(outputs).filter((file) => entryPoints.includes(outputs[file]?.entryPoint ?? ""));
  if (open.length !== entryPoints.length) throw new Error(`Not all of these are imported: ${entryPoints.join(", ")}`);
  const found = new Set<string>();
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    found.add(file);
    const imports = outputs[file]?.imports.filter(({ kind }) => kind !== "dynamic-import") ?? [];
    open.push(...imports.map(({ path }) => path).filter((path) => !found.has(path)));
  }
  return new Set([...found].map((file) => basename(file)));
}

/** Joins pieces to one script again. `elsewhere` gives the text that stands for a piece that is not among them. */
export async function join(
  { texts }: Split,
  entry: string,
  elsewhere: (name: string) => string | null,
): Promise<string> {
  const pieces: Plugin = {
    name: "pieces",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\.js$/ }, ({ path }) => {
        const name = basename(path);
        return { path: name, namespace: elsewhere(name) === null ? "piece" : "elsewhere" };
      });
      onLoad({ filter: /./, namespace: "piece" }, ({ path }) => ({ contents: texts.get(path) ?? "" }));
      onLoad({ filter: /./, namespace: "elsewhere" }, ({ path }) => ({ contents: elsewhere(path) ?? "" }));
    },
  };
  const { outputFiles } = await build({
    stdin: { contents: entry },
    bundle: true,
    minify: true,
    platform: "node",
    target: "node22",
    format: "iife",
    globalName: "__joined",
    write: false,
    plugins: [pieces],
  });
  return outputFiles[0]?.text ?? "";
}
