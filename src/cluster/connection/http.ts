import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { brokenOff, connectionFailure, RequestFailure } from "./request-failure.ts";

export type Headers = Readonly<Record<string, string | string[]>>;

export interface Request {
  readonly url: URL;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly isStream: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Limits an answer that is not streamed, both as sent and decompressed. Assumed: a page of pods is smaller. */
export const MOST_ANSWER_BYTES = 2 ** 26;
/** Assumed: a line of a watch is shorter, because etcd limits a request to 1.5 MiB by default. */
const MOST_LINE_CHARACTERS = 2 ** 25;

export interface BegunAnswer extends Omit<HttpAnswer, "text"> {
  readonly body: Readable;
  readonly isFirstOnConnection: boolean;
  /** Whether a body that has ended is complete. With HTTP/2, a broken connection can end a body, too. */
  isWhole?(): boolean;
  /** Code that reads `body` must call this with the size of each part that it has read. */
  heard?(bytes: number): void;
}

export async function httpAnswer(begun: BegunAnswer): Promise<HttpAnswer> {
  const { status, headers } = begun;
  const bytes = await bytesOf(begun, MOST_ANSWER_BYTES);
  const length = Number(headers["content-length"] ?? bytes.length);
  // With HTTP/2, Bun 1.4.5 may accept a body of another length than Content-Length says.
  if (bytes.length < length) throw brokenOff();
  if (bytes.length > length) throw new RequestFailure("bad-answer", { message: "it is longer than it says" });
  const isCompressed = headers["content-encoding"]?.toLowerCase() === "gzip";
  return { status, headers, text: (isCompressed ? await inflate(bytes) : bytes).toString("utf8") };
}

export function bytesOf(
  { body, isWhole, heard }: Pick<BegunAnswer, "body" | "isWhole" | "heard">,
  most: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    body.on("data", (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      heard?.(piece.length);
      if (size > most) body.destroy(tooLarge(most));
    });
    body.on("error", (error) => reject(connectionFailure(error)));
    body.on("end", () => (isWhole?.() === false ? reject(brokenOff()) : resolve(Buffer.concat(pieces))));
    body.on("close", () => reject(brokenOff()));
    // The body may have failed before the call of `bytesOf`.
    if (body.destroyed) reject(connectionFailure(body.errored ?? brokenOff()));
  });
}

function tooLarge(most: number): RequestFailure {
  return new RequestFailure("bad-answer", { message: `it is larger than ${most / 2 ** 20} MiB` });
}

async function inflate(bytes: Buffer): Promise<Buffer> {
  const { gunzip } = await import("node:zlib");
  try {
    return await promisify(gunzip)(bytes, { chunkSize: 2 ** 20, maxOutputLength: MOST_ANSWER_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(MOST_ANSWER_BYTES);
    const { message } = connectionFailure(error);
    throw new RequestFailure("bad-answer", { message: `it cannot be decompressed (${message})` });
  }
}

export async function* streamedLines(begun: BegunAnswer): AsyncGenerator<string> {
  let line = "";
  for await (const piece of streamedPieces(begun)) {
    const [first = "", ...others] = piece.split("\n");
    line += first;
    if (line.length > MOST_LINE_CHARACTERS)
      throw new RequestFailure("bad-answer", { message: "it has a line without an end" });
    const rest = others.pop();
    if (rest === undefined) continue;
    for (const whole of [line, ...others]) if (whole !== "") yield whole;
    line = rest;
  }
}

export async function* streamedPieces({ body, isWhole, heard }: BegunAnswer): AsyncGenerator<string> {
  body.setEncoding("utf8");
  try {
    for await (const piece of body) {
      heard?.(Buffer.byteLength(piece));
      yield piece;
    }
  } catch (error) {
    throw connectionFailure(error);
  }
  if (isWhole?.() === false) throw brokenOff();
}
