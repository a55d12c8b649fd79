import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { executableFile, starterFor } from "../build/executable.ts";
import type { BundledProgram } from "../build/programs.ts";
import type { CompiledParts } from "./compiled-code.ts";
import { carriesProgram, executableKind } from "./executable-kind.ts";
import { oneFile } from "./one-file.ts";
import { type PackedFile, tar } from "./tar.ts";
import { archiveName, programName, type Target } from "./targets.ts";
import { zip } from "./zip.ts";

const LAUNCHER = new URL("launcher.sh", import.meta.url);
const ENTRY_POINT = "scripts/build/starter/start-one-file.ts";

/** What goes into the archive for a target. */
export interface Ingredients {
  readonly program: BundledProgram;
  /** What Node compiles of it; null where that cannot be had, because that Node does not run here. */
  readonly compiled: CompiledParts | null;
  readonly node: Buffer;
  /** The same version of Node for this machine. */
  readonly ownNode: string;
  readonly licences: readonly PackedFile[];
}

/** An archive in memory. */
export interface Archive {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Makes the archive for a target; throws if what would be in it is not for that target. */
export async function archiveFor(target: Target, version: string, ingredients: Ingredients): Promise<Archive> {
  const programs = target.form === "one-file" ? asOneFile(target, ingredients) : besideNode(target, ingredients);
  const files = [...(await programs), ...ingredients.licences];
  return { name: archiveName(target, version), bytes: target.os === "windows" ? zip(files) : gzipSync(tar(files)) };
}

async function asOneFile(target: Target, { program, compiled, node, ownNode }: Ingredients): Promise<PackedFile[]> {
  const main = await starterFor(ENTRY_POINT, program, compiled !== null);
  const contents = { main, assets: assetsOf(program, compiled) };
  const bytes = checked(await oneFile(contents, node, target, ownNode), target);
  return [{ name: programName(target), bytes, isExecutable: true }];
}

/** What the starter reads, by the names that it has for them. */
export function assetsOf({ code }: BundledProgram, compiled: CompiledParts | null): Readonly<Record<string, Buffer>> {
  const scripts = { first: Buffer.from(code.first, "latin1"), rest: Buffer.from(code.rest, "latin1") };
  if (compiled === null) return scripts;
  return { ...scripts, "first.compiled": compiled.first, "rest.compiled": compiled.rest };
}

async function besideNode(target: Target, { program, node }: Ingredients): Promise<PackedFile[]> {
  return [
    { name: programName(target), bytes: readFileSync(LAUNCHER), isExecutable: true },
    { name: "node", bytes: checked(node, target), isExecutable: true },
    { name: "program.js", bytes: Buffer.from(await executableFile(program), "latin1"), isExecutable: false },
  ];
}

/** A program that cannot be run here is at least looked at. */
function checked(bytes: Buffer, target: Target): Buffer {
  const { os, arch, isSigned } = executableKind(bytes);
  const isRight = os === target.os && arch === target.arch && carriesProgram(bytes) === (target.form === "one-file");
  // With a program in it, a signature would not hold any more; macOS runs nothing without.
  if (isRight && isSigned === (os === "darwin")) return bytes;
  throw new Error(`The program for ${target.os} on ${target.arch} is not what it should be.`);
}
