import { build, type Metafile } from "esbuild";
import { embedCommands, embedExamples, withoutGeneratedClasses, withoutTemplates } from "./embed.ts";

/** A program as one JavaScript file for Node, and what went into it. */
interface Bundle {
  readonly code: string;
  readonly metafile: Metafile;
}

/** Node reads it as a script or as a module, by the package.json beside it: it is written so that it is both. */
const HEAD = "#!/usr/bin/env node\nvar require = process.getBuiltinModule;";

/** Bundles a file of `bin` with everything that it imports. */
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
    plugins: [embedExamples, embedCommands, withoutGeneratedClasses, withoutTemplates],
    // Only what the embedded modules replace asks where it is.
    logOverride: { "empty-import-meta": "silent" },
  });
  return { code: outputFiles[0]?.text ?? "", metafile };
}
