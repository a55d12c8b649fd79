import type { Served } from "./served.ts";

/** One way to answer. */
export interface WayCase {
  readonly name: string;
  readonly served: Served;
  /** How long a question may wait, in milliseconds; less where nothing comes any more. */
  readonly patienceMs?: number;
  /** How often the same is asked: once by default, or twice if it is usual. A connection that stays open is used again. */
  readonly times?: number;
  /** Whether it takes much of the machine. */
  readonly isHeavy?: boolean;
  /** Whether API servers answer so: then it is read without Node's client, and each question is asked once. */
  readonly isUsual?: boolean;
  /** Why something else comes of it than with Node's client alone, where that is meant: what, and why it is as good. */
  readonly differs?: string;
}

/** For what is never answered. */
export const SHORT_MS = 250;

/** What an API server says of its clock. */
export const DATE = "Date: Sat, 21 Nov 2026 12:10:00 GMT";
export const TYPE = "Content-Type: application/json";
export const BODY = '{"kind":"Pod","metadata":{"name":"wéb-0"}}';

/** Text as it goes over the wire: a character above U+00FF is not for here. */
export function bytes(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

/** UTF-8, one character for each byte. */
export function utf8(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** An answer with these lines and this body. */
export function answer(lines: readonly string[], body = "", first = "HTTP/1.1 200 OK"): string {
  return `${[first, ...lines, "", ""].join("\r\n")}${body}`;
}

/** The same, its body's length said. */
export function plain(body = utf8(BODY), lines: readonly string[] = [TYPE, DATE], first?: string): string {
  return answer([...lines, `Content-Length: ${body.length}`], body, first);
}

/** A body in chunks of that many bytes. */
export function chunked(body = utf8(BODY), size = 7): string {
  const chunks = body.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
  return [...chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`), "0\r\n\r\n"].join("");
}

/** What is served in one piece. */
export function once(text: string, ending: Served["ending"] = "stays"): Served {
  return { pieces: [bytes(text)], ending };
}
