import type { ServerResponse } from "node:http";
import { constants, type Http2ServerResponse } from "node:http2";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { BreakFault } from "./broken-answers.ts";
import { refusal } from "./status-answers.ts";

export type FaultKind =
  /** The server answers with a Status object. */
  | { readonly status: number; readonly message?: string; readonly headers?: Readonly<Record<string, string>> }
  /** The server sends `body` as it is. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string | Buffer | Iterable<Buffer>;
    }
  | BreakFault
  | { readonly delayMs: number }
  /**
   * `cut-off`: the answer breaks off within its body. `stalled`: headers come, then nothing. `hung-up`: the answer
   * breaks off before its headers.
   */
  | "cut-off"
  | "stalled"
  | "hung-up"
  /** HTTP/2 only: the server sends GOAWAY, with or without an answer to this request. */
  | "goodbye"
  | "goodbye without an answer"
  | "refused stream";

export interface Fault {
  /** A text matches anywhere in the path and its query. */
  readonly path: string | RegExp;
  readonly fault: FaultKind;
  /** The number of matching requests before the first that gets the fault; 0 by default. */
  readonly after?: number;
  /** At most this many requests get the fault; by default, there is no limit. */
  readonly times?: number;
}

export function faults() {
  const planned: { fault: Fault; seen: number }[] = [];
  return {
    add: (fault: Fault): void => void planned.push({ fault, seen: 0 }),
    next: (url: string): FaultKind | null => {
      for (const plan of planned) {
        const { path, fault, after = 0, times = Number.POSITIVE_INFINITY } = plan.fault;
        if (!(typeof path === "string" ? url.includes(path) : path.test(url))) continue;
        plan.seen++;
        if (plan.seen > after && plan.seen <= after + times) return fault;
      }
      return null;
    },
  };
}

/** Returns whether the caller still has to send the proper answer, whole or in part. */
export async function commit(fault: FaultKind, response: ServerResponse): Promise<boolean> {
  if (fault === "cut-off") return true;
  const { stream } = response as unknown as Partial<Http2ServerResponse>;
  if (fault === "goodbye") {
    stream?.session?.goaway(constants.NGHTTP2_NO_ERROR);
    return true;
  }
  if (fault === "goodbye without an answer") {
    stream?.session?.goaway(constants.NGHTTP2_INTERNAL_ERROR);
    return false;
  }
  if (fault === "refused stream") {
    stream?.close(constants.NGHTTP2_REFUSED_STREAM);
    return false;
  }
  if (fault === "hung-up") {
    response.destroy();
    return false;
  }
  if (fault === "stalled") {
    response.writeHead(200, { "Content-Type": "application/json" }).flushHeaders();
    return false;
  }
  if ("delayMs" in fault) {
    // `ref: false`: a pending delay doesn't keep the process alive after the server is closed.
    await sleep(fault.delayMs, undefined, { ref: false });
    return true;
  }
  if ("end" in fault) return true;
  if ("body" in fault) {
    await sendBody(response, fault);
    return false;
  }
  const { status, body } = refusal(fault.status, fault.message ?? "it was asked to fail");
  response.writeHead(status, { "Content-Type": "application/json", ...fault.headers }).end(JSON.stringify(body));
  return false;
}

/** An iterable `body` may be endless: the pipeline stops when the response is closed. */
async function sendBody(
  response: ServerResponse,
  { status, headers = {}, body }: Extract<FaultKind, { body: unknown }>,
): Promise<void> {
  response.writeHead(status, headers);
  if (typeof body === "string" || Buffer.isBuffer(body)) return void response.end(body);
  await pipeline(Readable.from(body), response).catch(() => {});
}
