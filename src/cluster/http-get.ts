import http, { type IncomingHttpHeaders } from "node:http";
import https, { type RequestOptions } from "node:https";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { RequestFailure } from "./request-failure.ts";

/** An answer of any status. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * One GET, redirects not followed. `timeoutMs` is for everything from the connection to the last byte of the answer; 0 is
 * no limit. A RequestFailure if there is no whole answer.
 */
export async function httpGet(url: string, options: RequestOptions, timeoutMs: number): Promise<HttpAnswer> {
  const limit = timeoutMs > 0 ? { signal: AbortSignal.timeout(timeoutMs) } : {};
  try {
    return await exchange(url, { ...options, ...limit });
  } catch (error) {
    if (limit.signal?.aborted)
      throw new RequestFailure("timeout", { message: `no answer within ${timeoutMs / 1000}s` });
    throw new RequestFailure("unreachable", { message: causeOf(error) });
  }
}

/** On one machine, compressing costs more than it saves. */
const LOOPBACK = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])[:/]/;

function exchange(url: string, options: RequestOptions): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const get = url.startsWith("https:") ? https.get : http.get;
    const headers = { ...(LOOPBACK.test(url) ? {} : { "Accept-Encoding": "gzip" }), ...options.headers };
    const request = get(url, { ...options, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode: status = 0, headers } = response;
        const inflated =
          headers["content-encoding"] === "gzip" ? inflate(chunks) : Promise.resolve(Buffer.concat(chunks));
        inflated.then((body) => resolve({ status, headers, text: body.toString("utf8") }), reject);
      });
    });
    request.on("error", reject);
  });
}

/** API servers compress what is larger than 128 KiB; in one piece, for every piece takes a turn of its own. */
function inflate(chunks: readonly Buffer[]): Promise<Buffer> {
  return promisify(gunzip)(Buffer.concat(chunks), { chunkSize: 2 ** 20 });
}

/** What went wrong, in the system's words: a name with several addresses fails with an AggregateError, which has no message. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return error instanceof AggregateError ? causeOf(error.errors[0]) : error.name;
}
