import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { RequestFailure } from "./request-failure.ts";

/**
 * No answer is read beyond this, as it comes or decompressed. A page of 250 pods has a tenth of it where they are large; to
 * parse it takes a multiple of its size.
 */
export const MOST_ANSWER_BYTES = 2 ** 26;

/** The text of a body that has come in pieces. A RequestFailure if it cannot be decompressed, or is too large then. */
export async function textOfBody(pieces: readonly Buffer[], headers: IncomingHttpHeaders): Promise<string> {
  const isCompressed = headers["content-encoding"]?.toLowerCase() === "gzip";
  const body = isCompressed ? await inflate(pieces) : Buffer.concat(pieces);
  return body.toString("utf8");
}

/** The failure that an answer beyond the limit is. */
export function tooLarge(): RequestFailure {
  return new RequestFailure("bad-answer", { message: `it is larger than ${MOST_ANSWER_BYTES / 2 ** 20} MiB` });
}

/** API servers compress what is larger than 128 KiB; in one piece, for every piece takes a turn of its own. */
async function inflate(pieces: readonly Buffer[]): Promise<Buffer> {
  try {
    return await promisify(gunzip)(Buffer.concat(pieces), { chunkSize: 2 ** 20, maxOutputLength: MOST_ANSWER_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    const { message } = error instanceof Error ? error : new Error(String(error));
    throw new RequestFailure("bad-answer", { message: `it cannot be decompressed (${message})` });
  }
}
