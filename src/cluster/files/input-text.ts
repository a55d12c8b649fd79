import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { UserError } from "../../errors.ts";
import { systemCause } from "../objects/error-text.ts";

export interface InputSource {
  readonly name: string;
  readonly folder: string;
  /** False if the user named only a folder that contains the file. */
  readonly isNamed: boolean;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** The endings of the files to read in a folder. A file that the user names can have any ending. */
export const READABLE = /\.(json|yaml|yml|ndjson|jsonl)(\.gz)?$/i;

export async function findSources(
  filenames: readonly string[],
  stdin: AsyncIterable<Uint8Array>,
): Promise<readonly InputSource[]> {
  const sources = new Map<string, InputSource>();
  for (const filename of filenames) {
    if (filename === "-") sources.set("-", { name: "standard input", folder: "-", isNamed: true, bytes: () => stdin });
    else {
      for (const file of await filesOf(filename)) {
        const path = resolve(file);
        const isNamed = file === filename || sources.get(path)?.isNamed === true;
        sources.set(path, { name: file, folder: dirname(path), isNamed, bytes: () => createReadStream(file) });
      }
    }
  }
  return [...sources.values()];
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

/**
 * Follows links to files, because a mounted ConfigMap has them, but not links to folders, which may lead in circles.
 */
async function readableFilesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) continue;
    // Adds a subfolder that cannot be read as if it were a file, because reading its path later shows the cause.
    if (entry.isDirectory()) found.push(...(await readableFilesIn(path).catch(() => [path])));
    else if (READABLE.test(entry.name) && (entry.isFile() || (await stat(path).catch(() => null))?.isFile()))
      found.push(path);
  }
  return found.sort();
}

/** Less than the length of V8's longest string (2^29 - 24). */
const MOST_BYTES = 2 ** 29 - 2 ** 20;

/**
 * Reads UTF-8 and, with a byte order mark, UTF-16LE, which `>` writes in Windows PowerShell. Decompresses gzip first.
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
    // The bytes are not text in this encoding.
  }
  throw new UserError("badInput", name, "it is not text");
}

function tooLarge(name: string): UserError {
  return new UserError("badInput", name, "it is longer than 511 MiB; cut it down to the pods in question");
}
