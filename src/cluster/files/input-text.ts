import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { UserError } from "../../errors.ts";
import { systemCause } from "../objects/causes.ts";

export interface InputSource {
  /** As the user would call it. */
  readonly name: string;
  /** The folder it is in, as an absolute path; "-" for standard input. */
  readonly folder: string;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** What is taken from a folder; a file that is named itself may be called anything. */
const READABLE = /\.(json|yaml|yml|ndjson|jsonl)(\.gz)?$/i;

/**
 * The sources that `filenames` stand for: "-" is `stdin`, a folder stands for the files in it and in its subfolders whose
 * names end in .json, .yaml, .yml, .ndjson or .jsonl (or these and .gz), sorted. Each is read once, however often named.
 * Throws `UserError` badInput for what is not there, may not be read, or is a folder without any such file.
 */
export async function findSources(
  filenames: readonly string[],
  stdin: AsyncIterable<Uint8Array>,
): Promise<readonly InputSource[]> {
  const sources = new Map<string, InputSource>();
  for (const filename of filenames) {
    if (filename === "-") sources.set("-", { name: "standard input", folder: "-", bytes: () => stdin });
    else for (const file of await filesOf(filename)) sources.set(resolve(file), fileSource(file));
  }
  return [...sources.values()];
}

function fileSource(file: string): InputSource {
  return { name: file, folder: dirname(resolve(file)), bytes: () => createReadStream(file) };
}

async function filesOf(filename: string): Promise<readonly string[]> {
  try {
    if (!(await stat(filename)).isDirectory()) return [filename];
    const files = await readableFilesIn(filename);
    if (files.length > 0) return files;
  } catch (error) {
    throw new UserError("badInput", filename, systemCause(error));
  }
  throw new UserError("badInput", filename, "this folder has no .json, .yaml, .yml, .ndjson or .jsonl file");
}

/** Files behind symbolic links count (a mounted ConfigMap is made of them), folders behind them do not: they may be loops. */
async function readableFilesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) for (const file of await readableFilesIn(path)) found.push(file);
    else if (READABLE.test(entry.name) && (entry.isFile() || (await isLinkToFile(path)))) found.push(path);
  }
  return found.sort();
}

async function isLinkToFile(path: string): Promise<boolean> {
  return stat(path).then(
    (target) => target.isFile(),
    () => false,
  );
}

/** A little less than the longest string that V8 can hold (2^29 - 24 characters). */
const MOST_BYTES = 2 ** 29 - 2 ** 20;

/**
 * The text of a source: gunzipped if it is gzip (by its first bytes, whatever its name), UTF-8 or, with a byte order mark,
 * UTF-16 (what `>` writes in Windows PowerShell). Throws `UserError` badInput for what is no text or longer than 511 MiB.
 */
export async function readText(source: InputSource): Promise<string> {
  const bytes = await collect(source);
  return decode(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip(bytes, source.name) : bytes, source.name);
}

async function collect(source: InputSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of source.bytes()) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MOST_BYTES) break;
    }
  } catch (error) {
    throw new UserError("badInput", source.name, systemCause(error));
  }
  if (length > MOST_BYTES) throw tooLarge(source.name);
  return Buffer.concat(chunks);
}

function gunzip(bytes: Uint8Array, name: string): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(name);
    throw new UserError("badInput", name, `its gzip data is damaged (${systemCause(error)})`);
  }
}

function decode(bytes: Uint8Array, name: string): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // not in this encoding: no text either
  }
  throw new UserError("badInput", name, "it is not text");
}

function tooLarge(name: string): UserError {
  return new UserError("badInput", name, "it is longer than 511 MiB; cut it down to the pods in question");
}
