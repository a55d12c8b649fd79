import type { IncomingHttpHeaders } from "node:http";
import { MOST_ANSWER_BYTES, tooLarge } from "./answer-body.ts";
import { AnswerInput, LINE_END, type Reading, UnclearAnswer } from "./answer-input.ts";

/** An answer that has come whole. */
export interface PlainAnswer {
  readonly status: number;
  /** The first of each name, which is in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: readonly Buffer[];
  /** Whether the server takes another request on the same connection. */
  readonly staysOpen: boolean;
}

/** As in Node's own parser (`--max-http-header-size`). */
const MOST_HEAD_BYTES = 2 ** 14;
/** Node's client leaves out what comes after so many (`maxHeadersCount`). */
const MOST_HEADERS = 1_000;
/** The length of a chunk in hexadecimal. */
const MOST_LENGTH_BYTES = 8;

/**
 * Reads one answer to a GET as API servers write it (RFC 9112): HTTP/1.1, and a body whose length is known or that comes in
 * chunks. Strictly, for whatever else servers write is for Node's own parser: an UnclearAnswer, as soon as it begins to be one,
 * for what is no HTTP may have no end.
 */
export function* readAnswer(): Reading<PlainAnswer> {
  const input = new AnswerInput();
  const head = yield* readHead(input);
  const body = head.length === null ? yield* chunks(input) : yield* input.bytes(head.length);
  if (!input.isEmpty) throw new UnclearAnswer("more came than was asked for");
  return { ...head, body };
}

function* chunks(input: AnswerInput): Reading<Buffer[]> {
  const pieces: Buffer[] = [];
  let size = 0;
  for (;;) {
    const text = yield* input.line(MOST_LENGTH_BYTES, (begun) => /^[0-9a-f]+$/i.test(begun));
    const length = Number.parseInt(text, 16);
    size += length;
    if (size > MOST_ANSWER_BYTES) throw tooLarge();
    for (const piece of yield* input.bytes(length)) pieces.push(piece);
    yield* input.line(0, (begun) => begun === "");
    if (length === 0) return pieces;
  }
}

interface Head extends Omit<PlainAnswer, "body"> {
  /** Of the body, in bytes; null where it comes in chunks. */
  readonly length: number | null;
}

function* readHead(input: AnswerInput): Reading<Head> {
  const first = yield* input.line(MOST_HEAD_BYTES, isBegunStatus);
  const status = Number(first.slice(9, 12));
  // Others have no body, or are not the last word.
  if (status < 200 || status === 204 || status === 205 || status === 304) throw new UnclearAnswer(first);
  const headers: Record<string, string> = {};
  let left = MOST_HEAD_BYTES - first.length;
  for (let count = 0; ; count++) {
    const line = yield* input.line(left, isBegunHeader);
    if (line === "") break;
    if (count === MOST_HEADERS) throw new UnclearAnswer("too many headers");
    left -= line.length + LINE_END.length;
    add(headers, line);
  }
  const staysOpen = /^(keep-alive)?$/i.test(headers["connection"] ?? "");
  return { status, headers, length: lengthIn(headers), staysOpen };
}

/** Whether the first line may begin so, or is so if it is whole. */
function isBegunStatus(text: string, isWhole: boolean): boolean {
  if (!isWhole && text.length < 12) return /^HTTP\/1\.1 \d*$/.test(text + "HTTP/1.1 ".slice(text.length));
  return /^HTTP\/1\.1 \d{3}( [\t\x20-\x7e\x80-\xff]*)?$/.test(text);
}

/** The same for any other. What is no length is none before its end. */
function isBegunHeader(text: string, isWhole: boolean): boolean {
  if (/^content-length:/i.test(text)) return (isWhole ? /:[ \t]*\d{1,15} *$/ : /:[ \t]*\d{0,15} *$/).test(text);
  if (isWhole && text !== "" && !text.includes(":")) return false;
  return /^([!#$%&'*+\-.^\w`|~]+(:[\t\x20-\x7e\x80-\xff]*)?)?$/.test(text);
}

/** Those that must be there once only, if at all, and with nothing but spaces around what they say. */
const ONCE = /^(content-(length|encoding|type)|transfer-encoding|connection|date|location)$/;

function add(headers: Record<string, string>, line: string): void {
  const colon = line.indexOf(":");
  const key = line.slice(0, colon).toLowerCase();
  const padded = line.slice(colon + 1);
  const value = padded.trim();
  if (ONCE.test(key)) {
    const blanks = padded.replace(value, "");
    if (Object.hasOwn(headers, key) || /[^ ]/.test(blanks)) throw new UnclearAnswer(`header ${key}`);
  }
  headers[key] ??= value;
  if ("content-length" in headers && "transfer-encoding" in headers) throw new UnclearAnswer("two ways to end");
}

/** Null where the body comes in chunks. */
function lengthIn({ "content-length": length, "transfer-encoding": encoding }: IncomingHttpHeaders): number | null {
  if (length === undefined && encoding?.toLowerCase() === "chunked") return null;
  if (length === undefined) throw new UnclearAnswer("a body without a plain length");
  if (Number(length) > MOST_ANSWER_BYTES) throw tooLarge();
  return Number(length);
}
