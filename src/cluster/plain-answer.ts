import type { IncomingHttpHeaders } from "node:http";
import { MOST_ANSWER_BYTES, tooLarge } from "./answer-body.ts";

/** An answer that has come whole. */
export interface PlainAnswer {
  readonly status: number;
  /** The first of each name, which is in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: readonly Buffer[];
  /** Whether the server takes another request on the same connection. */
  readonly staysOpen: boolean;
}

/** It is given each piece of what comes, once it has begun; the answer is what it returns. */
export type Reading<Result> = Generator<undefined, Result, Buffer>;

/** What has come may well be an answer, but not one of those that are read here. */
export class UnclearAnswer extends Error {}

/** As in Node's own parser (`--max-http-header-size`). */
const MOST_HEAD_BYTES = 2 ** 14;
/** The length of a chunk in hexadecimal. */
const MOST_LENGTH_BYTES = 8;
const LINE_END = "\r\n";

/**
 * Reads one answer to a GET as API servers write it (RFC 9112): HTTP/1.1, and a body whose length is known or that comes in
 * chunks. Strictly, for whatever else servers write is for Node's own parser: an UnclearAnswer.
 */
export function* readAnswer(): Reading<PlainAnswer> {
  const input = new Input();
  const head = headIn(yield* input.until(LINE_END + LINE_END, MOST_HEAD_BYTES));
  const body = head.length === null ? yield* chunks(input) : yield* input.bytes(head.length);
  if (!input.isEmpty) throw new UnclearAnswer("more came than was asked for");
  return { ...head, body };
}

function* chunks(input: Input): Reading<Buffer[]> {
  const pieces: Buffer[] = [];
  let size = 0;
  for (;;) {
    const text = yield* input.until(LINE_END, MOST_LENGTH_BYTES);
    if (!/^[0-9a-f]+$/i.test(text)) throw new UnclearAnswer("a chunk without a plain length");
    const length = Number.parseInt(text, 16);
    size += length;
    if (size > MOST_ANSWER_BYTES) throw tooLarge();
    for (const piece of yield* input.bytes(length)) pieces.push(piece);
    if ((yield* input.until(LINE_END, 0)) !== "") throw new UnclearAnswer("a chunk of another length");
    if (length === 0) return pieces;
  }
}

interface Head extends Omit<PlainAnswer, "body"> {
  /** Of the body, in bytes; null where it comes in chunks. */
  readonly length: number | null;
}

function headIn(text: string): Head {
  const [first = "", ...lines] = text.split(LINE_END);
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: [\t\x20-\x7e\x80-\xff]*)?$/.exec(first)?.[1]);
  // Others have no body, or are not the last word.
  if (!(status >= 200) || status === 204 || status === 205 || status === 304) throw new UnclearAnswer(first);
  const headers = headersIn(lines);
  const staysOpen = /^(keep-alive)?$/i.test(headers.connection ?? "");
  return { status, headers, length: lengthIn(headers), staysOpen };
}

/** Those that must be there once only, if at all. */
const ONCE = [
  "content-length",
  "transfer-encoding",
  "content-encoding",
  "content-type",
  "connection",
  "date",
  "location",
];

function headersIn(lines: readonly string[]): IncomingHttpHeaders {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = "", value = ""] = /^([!#$%&'*+\-.^\w`|~]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    if (key === "" || (Object.hasOwn(headers, key) && ONCE.includes(key))) throw new UnclearAnswer(`header ${name}`);
    headers[key] ??= value.trimEnd();
  }
  return headers;
}

/** Null where the body comes in chunks. */
function lengthIn({ "content-length": length, "transfer-encoding": encoding }: IncomingHttpHeaders): number | null {
  if (length === undefined && encoding?.toLowerCase() === "chunked") return null;
  if (encoding !== undefined || !/^\d{1,15}$/.test(length ?? ""))
    throw new UnclearAnswer("a body without a plain length");
  if (Number(length) > MOST_ANSWER_BYTES) throw tooLarge();
  return Number(length);
}

/** What has come and is not read yet. */
class Input {
  #unread: Buffer = Buffer.alloc(0);

  get isEmpty(): boolean {
    return this.#unread.length === 0;
  }

  /** The text before `end`, which is read too, and of which at most so many bytes are waited for. */
  *until(end: string, most: number): Reading<string> {
    for (;;) {
      const at = this.#unread.indexOf(end, 0, "latin1");
      if (at > most || (at < 0 && this.#unread.length > most + end.length)) throw new UnclearAnswer(`no end of a line`);
      if (at >= 0) {
        const text = this.#unread.toString("latin1", 0, at);
        this.#unread = this.#unread.subarray(at + end.length);
        return text;
      }
      this.#unread = Buffer.concat([this.#unread, yield]);
    }
  }

  /** So many bytes, in pieces. */
  *bytes(count: number): Reading<Buffer[]> {
    const pieces: Buffer[] = [];
    for (let left = count; left > 0; ) {
      if (this.isEmpty) this.#unread = yield;
      const piece = this.#unread.subarray(0, left);
      pieces.push(piece);
      left -= piece.length;
      this.#unread = this.#unread.subarray(piece.length);
    }
    return pieces;
  }
}
