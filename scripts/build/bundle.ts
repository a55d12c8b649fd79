import { build, type Metafile } from "esbuild";
import { embedCommands, embedExamples, withoutGeneratedClasses, withoutUncalled } from "./embed.ts";

interface Bundle {
  readonly code: string;
  readonly metafile: Metafile;
}

/** Valid as a script and as a module: the package.json beside the file decides which of them Node.js runs. */
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
    // Only modules that are replaced here use import.meta.
    logOverride: { "empty-import-meta": "silent" },
  });
  return { code: outputFiles[0]?.text ?? "", metafile };
}
