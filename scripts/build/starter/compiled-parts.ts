import type { Script } from "node:vm";
import type { PerPart } from "./run-parts.ts";

/** The file begins with how long the first part is; so many bytes, for V8 wants its code at a multiple of it. */
const LENGTH_BYTES = 8;

/** What has been compiled of the scripts so far, in one piece. */
export function bytesOf({ first, rest }: PerPart<Script>): Buffer {
  const parts = [first, rest].map((script) => (script === null ? Buffer.alloc(0) : script.createCachedData()));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(parts[0]?.length ?? 0, 0);
  return Buffer.concat([length, ...parts]);
}

/** The parts of such a piece. Throws for one that cannot be. */
export function partsIn(bytes: Buffer): PerPart<Buffer> {
  const end = LENGTH_BYTES + bytes.readUInt32LE(0);
  return { first: bytes.subarray(LENGTH_BYTES, end), rest: end < bytes.length ? bytes.subarray(end) : null };
}
