import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https, { type RequestOptions } from "node:https";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { connectionFailure } from "./connection-failure.ts";
import { RequestFailure } from "./request-failure.ts";

/** An answer of any status. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * No answer is read beyond this, as it comes or decompressed. A page of 250 pods has a tenth of it where they are large; to
 * parse it takes a multiple of its size.
 */
export const MOST_ANSWER_BYTES = 2 ** 26;

/** One GET, redirects not followed, that `signal` in the options ends. A RequestFailure if there is no whole answer. */
export function httpGet(url: string, options: RequestOptions): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const get = url.startsWith("https:") ? https.get : http.get;
    const headers = { ...(LOOPBACK.test(url) ? {} : { "Accept-Encoding": "gzip" }), ...options.headers };
    const fail = (error: unknown): void => reject(connectionFailure(error));
    const request = get(url, { ...options, headers }, (response) => {
      const { statusCode: status = 0, headers } = response;
      bytesOf(response).then((body) => resolve({ status, headers, text: body.toString("utf8") }), fail);
    });
    request.on("error", fail);
  });
}

/** On one machine, compressing costs more than it saves. */
const LOOPBACK = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])[:/]/;

function bytesOf(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_ANSWER_BYTES) response.destroy(tooLarge());
    });
    response.on("error", reject);
    response.on("end", () => {
      const isCompressed = response.headers["content-encoding"]?.toLowerCase() === "gzip";
      resolve(isCompressed ? inflate(chunks) : Buffer.concat(chunks));
    });
  });
}

/** API servers compress what is larger than 128 KiB; in one piece, for every piece takes a turn of its own. */
async function inflate(chunks: readonly Buffer[]): Promise<Buffer> {
  try {
    return await promisify(gunzip)(Buffer.concat(chunks), { chunkSize: 2 ** 20, maxOutputLength: MOST_ANSWER_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    const { message } = error instanceof Error ? error : new Error(String(error));
    throw new RequestFailure("bad-answer", { message: `it cannot be decompressed (${message})` });
  }
}

function tooLarge(): RequestFailure {
  return new RequestFailure("bad-answer", { message: `it is larger than ${MOST_ANSWER_BYTES / 2 ** 20} MiB` });
}
