import { build, type Metafile } from "esbuild";
import { embedCommands, embedExamples } from "./embed.ts";
import { onDemand } from "./on-demand.ts";
import { plainTextInTables } from "./plain-text.ts";
import { withoutUnused } from "./unused.ts";

/** A program as one script, and what went into it. */
export interface Bundle {
  /** ASCII, and a script rather than a module: it imports nothing and exports nothing. */
  readonly code: string;
  readonly metafile: Metafile;
}

/** Everything that an entry point needs but Node. */
export async function bundle(entryPoint: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: [entryPoint],
    outfile: "program.js",
    bundle: true,
    minify: true,
    platform: "node",
    target: "node22",
    format: "iife",
    write: false,
    metafile: true,
    legalComments: "none",
    plugins: [embedExamples, embedCommands, withoutUnused, plainTextInTables, onDemand],
  });
  return { code: inAscii(outputFiles[0]?.text ?? ""), metafile };
}

/** Regular expressions keep their letters otherwise. One byte for each character is half the memory, and faster to read. */
function inAscii(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
