import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Parts } from "./bundle.ts";
import { between, closing, hidden, opening } from "./starter/comment.ts";

/** What is known of a program besides its code. */
export interface Program {
  readonly name: string;
  readonly code: Parts;
  /** The first words that have compiled code of their own; the first of them is the default. */
  readonly commands: readonly string[];
  /** What an older Node does with it. */
  readonly refusal: { readonly stream: "stdout" | "stderr"; readonly text: string; readonly exitCode: number };
}

/** The program as one file that Node runs, wherever it is copied to. */
export async function executableFile(program: Program): Promise<string> {
  const { first, rest } = program.code;
  if (first.includes(hidden)) throw new Error(`The code has ${hidden}, which stands for something else.`);
  const starter = await starterFor("scripts/build/starter/start-file.ts", program);
  return `#!/usr/bin/env node\n${starter.trim()}\n${opening}${first.replaceAll("*/", hidden)}${between}${packed(rest)}${closing}`;
}

function packed(text: string): string {
  return gzipSync(Buffer.from(text, "latin1"), { level: 9 }).toString("base64");
}

/** What is run before the program: `entryPoint` with what it has to know of it, as a script. */
export async function starterFor(entryPoint: string, program: Program, isCompiled = false): Promise<string> {
  const { code, name, commands, refusal } = program;
  const hash = createHash("sha256").update(code.first).update(code.rest).digest("hex").slice(0, 16);
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    minify: true,
    platform: "node",
    // What an older Node has to understand, to say that it is too old.
    target: "node14",
    format: "iife",
    write: false,
    define: { PROGRAM: JSON.stringify({ name, hash, commands, refusal, isCompiled }) },
  });
  return outputFiles[0]?.text ?? "";
}
