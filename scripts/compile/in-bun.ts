import { writeFileSync } from "node:fs";
import type { Plugin } from "esbuild";
import { embedCommands, embedExamples, withoutGeneratedClasses, withoutUncalled } from "../build/embed.ts";

/** Compiles the program: `bun in-bun.ts OUTPUT METAFILE [TARGET RUNTIME]`. */
const [output = "", metafile = "", target, executablePath] = process.argv.slice(2);

/** The part of Bun's API that this file uses (bun-types 1.4.5, bun.d.ts). */
declare const Bun: {
  build(options: {
    readonly entrypoints: readonly string[];
    readonly plugins: readonly Plugin[];
    readonly [option: string]: unknown;
  }): Promise<{ readonly metafile: object }>;
};

/** Multiplies the thresholds of the JIT compiler. bin/executable.js sets them back. */
const JIT_POLICY = 64;

const built = await Bun.build({
  entrypoints: ["bin/executable.js"],
  target: "bun",
  format: "esm",
  bytecode: true,
  minify: true,
  splitting: true,
  metafile: true,
  // Otherwise, these would name folders of the machine that compiles.
  define: { __dirname: '""', __filename: '""' },
  plugins: [embedExamples, embedCommands, withoutGeneratedClasses, withoutUncalled],
  compile: {
    ...(target !== undefined && { target, executablePath }),
    outfile: output,
    jitPolicy: JIT_POLICY,
    // No file of the current folder may change what the executable does.
    autoloadDotenv: false,
    autoloadBunfig: false,
    autoloadTsconfig: false,
    autoloadPackageJson: false,
    // No string may become code.
    execArgv: ["--disallow-code-generation-from-strings=strict"],
  },
});
writeFileSync(metafile, JSON.stringify(built.metafile));
