import { answer, bytes, chunked, DATE, once, plain, SHORT_MS, TYPE, utf8, type WayCase } from "./case.ts";
import type { Served } from "./served.ts";

const BODY = utf8('{"a":"é"}');
const PLAIN = plain(BODY, [TYPE, DATE]);
const CHUNKS = answer([TYPE, "Transfer-Encoding: chunked"], chunked(BODY, 4));

const split = (text: string, size: number): Buffer[] =>
  (text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? []).map(bytes);

const pieces: readonly WayCase[] = [PLAIN, CHUNKS].flatMap((text, index) =>
  [1, 2, 3, 17].map((size) => ({
    name: `${["a length", "chunks"][index]}, in pieces of ${size} bytes`,
    served: { pieces: split(text, size), ending: "stays" as const },
    isUsual: true,
  })),
);

/** Every so often, and always next to where something ends. */
function cuts(text: string): readonly number[] {
  return Array.from({ length: text.length }, (_, at) => at).filter(
    (at) => at % 9 === 0 || /[\r\n]/.test(text.slice(Math.max(0, at - 1), at + 1)),
  );
}

const lost: readonly WayCase[] = [PLAIN, CHUNKS].flatMap((text, index) =>
  cuts(text).flatMap((at) =>
    (["ends", "resets"] as const)
      .filter((ending) => ending === "ends" || at % 4 === 0)
      .map((ending) => ({
        name: `${["a length", "chunks"][index]}, ${ending} after ${at} bytes`,
        served: once(text.slice(0, at), ending),
      })),
  ),
);

const stalled: readonly WayCase[] = [0, 5, 40, PLAIN.length - 1].map((at) => ({
  name: `silence after ${at} bytes`,
  served: once(PLAIN.slice(0, at)),
  patienceMs: SHORT_MS,
}));

const early: readonly WayCase[] = [
  { name: "an answer before the question", served: { ...once(PLAIN, "ends"), isAsked: false } },
  {
    name: "an answer before the question, not closed",
    served: { ...once(PLAIN), isAsked: false },
    patienceMs: SHORT_MS,
  },
  {
    name: "half an answer before the question",
    served: { ...once(PLAIN.slice(0, 40)), isAsked: false },
    patienceMs: SHORT_MS,
  },
  {
    name: "a greeting before the question",
    served: { ...once("220 hello\r\n"), isAsked: false },
    patienceMs: SHORT_MS,
  },
  { name: "closed before the question", served: { ...once("", "ends"), isAsked: false } },
  { name: "reset before the question", served: { ...once("", "resets"), isAsked: false } },
];

const plainly = (text: string, ending: Served["ending"], isAsked = true): Served => ({
  ...once(text, ending),
  isPlain: true,
  isAsked,
});

const noTls: readonly WayCase[] = [
  { name: "plain HTTP", served: plainly(answer([], "", "HTTP/1.1 400 Bad Request"), "ends") },
  {
    name: "plain HTTP that stays",
    served: plainly(answer([], "", "HTTP/1.1 400 Bad Request"), "stays"),
    patienceMs: SHORT_MS,
  },
  { name: "a greeting of SSH", served: plainly("SSH-2.0-OpenSSH_9.2\r\n", "stays", false), patienceMs: SHORT_MS },
  { name: "a greeting of FTP, closed", served: plainly("220 hello\r\n", "ends", false) },
  { name: "NULs", served: plainly("\0".repeat(100), "ends") },
  { name: "nothing, closed", served: plainly("", "ends") },
  { name: "nothing, reset", served: plainly("", "resets") },
  { name: "silence", served: plainly("", "stays"), patienceMs: SHORT_MS },
  ...[0, 10, 40, 42, 47, 48, 70, 80, 86, 112, 116].map((description) => ({
    name: `alert ${description}`,
    served: plainly(`\x15\x03\x03\0\x02\x02${String.fromCharCode(description)}`, "ends"),
  })),
  { name: "a warning", served: plainly("\x15\x03\x03\0\x02\x01\x70", "ends") },
  { name: "half an alert", served: plainly("\x15\x03\x03\0\x02\x02", "ends") },
  { name: "a record of no kind", served: plainly("\x63\x03\x03\0\x02\x02\x28", "ends") },
  { name: "half a greeting of TLS", served: plainly("\x16\x03\x03\0\x7a\x02\0\0\x76\x03\x03", "ends") },
];

/** Answers well; its first connection not, or not for long. */
const later: readonly WayCase[] = [
  { name: "closed at first", served: { ...once("", "ends"), later: once(PLAIN) } },
  { name: "reset at first", served: { ...once("", "resets"), later: once(PLAIN) } },
  { name: "cut off at first", served: { ...once(PLAIN.slice(0, 60), "ends"), later: once(PLAIN) } },
  {
    name: "no HTTP at first",
    served: { ...once("220 hello\r\n", "ends"), later: once(PLAIN) },
    differs: "Node's client asks again what was not clear, and is answered",
  },
];

/** What becomes of connections. */
export const CONNECTION_CASES: readonly WayCase[] = [...pieces, ...lost, ...stalled, ...early, ...noTls, ...later];
