import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type Metafile } from "esbuild";
import { embedCommands, embedExamples, withoutGeneratedClasses, withoutUncalled } from "./embed.ts";

interface Bundle {
  readonly code: string;
  readonly metafile: Metafile;
}

/** Valid as a script and as a module. */
const HEAD = "#!/usr/bin/env node\nvar require = process.getBuiltinModule;";

export async function bundle(entryPoint: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `import "./needs-node.js"; import "./${entryPoint}";`, resolveDir: "bin" },
    bundle: true,
    minify: true,
    platform: "node",
    target: "node22",
    format: "iife",
    banner: { js: HEAD },
    legalComments: "none",
    metafile: true,
    write: false,
    plugins: [embedExamples, embedCommands, withoutGeneratedClasses, withoutUncalled],
    // esbuild warns of import.meta, which is empty in the format iife.
    logOverride: { "empty-import-meta": "silent" },
  });
  return { code: outputFiles[0]?.text ?? "", metafile };
}

export async function writeBundles(main: string): Promise<{ main: string; completion: string }> {
  const completion = join(dirname(main), "kubectl_complete-backoff");
  mkdirSync(dirname(main), { recursive: true });
  for (const [file, entryPoint] of [
    [main, "main.js"],
    [completion, "complete.js"],
  ] as const) {
    writeFileSync(file, (await bundle(entryPoint)).code);
    chmodSync(file, 0o755);
  }
  return { main, completion };
}
