import { gzipSync } from "node:zlib";
import type { RandomSource } from "../../../src/backoff/backoff.ts";
import { seededRandom } from "../../../src/simulate/seeded-random.ts";
import { answer, BODY, bytes, chunked, DATE, plain, SHORT_MS, TYPE, utf8, type WayCase } from "./case.ts";

const CHUNKED = "Transfer-Encoding: chunked";
const ZIPPED = gzipSync(BODY).toString("latin1");
const REFUSAL = '{"kind":"Status","message":"it is so","metadata":{"continue":"next"}}';

/** What is well-formed, or nearly so. */
const ANSWERS: readonly string[] = [
  plain(),
  plain("", [TYPE, DATE, "Connection: keep-alive"]),
  plain(utf8(BODY), [TYPE, DATE, "Connection: close"]),
  answer([TYPE, DATE, CHUNKED], chunked()),
  answer([TYPE, CHUNKED, DATE], chunked(utf8(BODY), 100)),
  answer([DATE, TYPE, "Content-Encoding: gzip", CHUNKED], chunked(ZIPPED, 20)),
  answer([DATE, TYPE, "Content-Encoding: gzip", `Content-Length: ${ZIPPED.length}`], ZIPPED),
  plain(REFUSAL, [TYPE, DATE], "HTTP/1.1 410 Gone"),
  plain(REFUSAL, [TYPE, DATE, "Retry-After: 0"], "HTTP/1.1 429 Too Many Requests"),
  plain("", ["Location: https://login.example/"], "HTTP/1.1 302 Found"),
  plain("<html>", ["Content-Type: text/html"], "HTTP/1.1 502 Bad Gateway"),
  answer([TYPE, DATE], utf8(BODY), "HTTP/1.0 200 OK"),
];

const LINES: readonly string[] = [
  ...["Content-Length: 2", "Content-Length: 0", "Content-Length:", "Content-Length: -1", "Content-Length: 99999"],
  ...[CHUNKED, "Transfer-Encoding: identity", "Transfer-Encoding: gzip, chunked", "Connection: close", "Connection: x"],
  ...["Connection: keep-alive", "Connection: Upgrade", "Upgrade: h2c", "Content-Encoding: gzip", "Trailer: Date"],
  ...[DATE, "Date: never", "Content-Type: text/html", "Retry-After: 0", "Location: /", " folded", "\tfolded", "X", ":"],
  ...["X : a", "X: \xe4", "X: a\0", "X: a\x7f", "__proto__: a", `X: ${"a".repeat(3_000)}`],
];
const PIECES: readonly string[] = [
  ...[
    "\r\n",
    "\r",
    "\n",
    "\r\n\r\n",
    " ",
    "\t",
    "\xa0",
    "\0",
    "\x7f",
    "\xff",
    ":",
    ";",
    ",",
    "0",
    "1",
    "f",
    "-",
    "+",
    "0x",
    "x",
  ],
  ...["0\r\n\r\n", "5;a=b\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "X: y\r\n", plain("{}")],
];

type Mutation = (text: string, random: RandomSource) => string;

const below = (most: number, random: RandomSource): number => Math.floor(random() * most);
const oneOf = <T>(list: readonly T[], random: RandomSource): T => list[below(list.length, random)] as T;

/** Puts it at any place; more often near the head, where each character means something. */
function put(text: string, piece: string, random: RandomSource, instead = 0): string {
  const place = below(text.length + 1, random);
  return text.slice(0, place) + piece + text.slice(place + instead);
}

/** Changes one line of the head, or puts others in its place. */
function inHead(change: (line: string, random: RandomSource) => readonly string[]): Mutation {
  return (text, random) => {
    const [head = "", ...rest] = text.split("\r\n\r\n");
    const lines = head.split("\r\n");
    const at = below(lines.length, random);
    const changed = lines.flatMap((line, index) => (index === at ? change(line, random) : [line]));
    return [changed.join("\r\n"), ...rest].join("\r\n\r\n");
  };
}

const MUTATIONS: readonly Mutation[] = [
  (text, random) => text.slice(0, below(text.length, random)),
  (text, random) => put(text, oneOf(PIECES, random), random),
  (text, random) => put(text, oneOf(PIECES, random), random, 1),
  (text, random) => put(text, "", random, 1 + below(4, random)),
  (text, random) => put(text, String.fromCharCode(below(256, random)), random, 1),
  (text, random) => text + oneOf(PIECES, random),
  (text, random) =>
    text.replaceAll("\r\n", (end) => (random() < 0.1 ? oneOf(["\n", "\r", "\r\r\n", ""], random) : end)),
  (text, random) => text.replace(/\d+/g, (digits) => (random() < 0.2 ? String(below(60, random)) : digits)),
  inHead((line, random) => [line, oneOf(LINES, random)]),
  inHead((line, random) => [line, oneOf(LINES, random)]),
  inHead((line, random) => [oneOf(LINES, random)].filter(() => line !== "")),
  inHead((line) => [line, line]),
  inHead(() => []),
  inHead((line, random) => [line.replace(/: ?/, oneOf([":", " : ", ":  ", ":\t", ": \xa0", ""], random))]),
  inHead((line, random) => [line + oneOf([" ", "\t", "\xa0", ",", ";", "\0"], random)]),
  inHead((line, random) => [random() < 0.5 ? line.toUpperCase() : line.toLowerCase()]),
];

/** The answer that a seed makes, and how it comes: it is the same on every machine. */
export function mutant(seed: number): WayCase {
  const random = seededRandom(seed, "two ways");
  let text = oneOf(ANSWERS, random);
  for (let count = 1 + below(2, random); count > 0; count--) text = oneOf(MUTATIONS, random)(text, random);
  const place = random() < 0.3 ? below(text.length, random) : 0;
  const ending = oneOf(["ends", "ends", "ends", "stays", "resets"] as const, random);
  const pieces = [text.slice(0, place), text.slice(place)].filter((piece) => piece !== "").map(bytes);
  const name = `mutant ${seed}: ${JSON.stringify(text.slice(0, 2_000))} at ${place}, ${ending}`;
  return { name, served: { pieces, ending }, patienceMs: ending === "stays" ? SHORT_MS : 2_000 };
}
