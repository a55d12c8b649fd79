import { gunzipSync } from "node:zlib";
import { UserError } from "../../errors.ts";
import { systemCause } from "../objects/causes.ts";
import type { InputSource } from "./input-bytes.ts";

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
