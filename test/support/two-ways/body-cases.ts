import { gzipSync } from "node:zlib";
import { answer, BODY, bytes, chunked, DATE, once, plain, SHORT_MS, TYPE, utf8, type WayCase } from "./case.ts";

const CHUNKED = "Transfer-Encoding: chunked";
const B = utf8(BODY);

/** As API servers do it, and proxies before them. */
const usual: readonly WayCase[] = [
  { name: "a length", served: once(plain()) },
  { name: "a length of zero", served: once(plain("")) },
  { name: "a length with zeros before it", served: once(answer([TYPE, "Content-Length: 002"], "{}")) },
  { name: "a length, then closed", served: once(plain(B, [TYPE, "Connection: close"]), "ends") },
  { name: "a length, closed without a word", served: once(plain(), "ends") },
  { name: "a length, kept", served: once(plain(B, [TYPE, "Connection: keep-alive", "Keep-Alive: timeout=5"])) },
  ...[1, 2, 7, 10_000].map((size) => ({
    name: `chunks of ${size} bytes`,
    served: once(answer([TYPE, DATE, CHUNKED], chunked(B, size))),
  })),
  { name: "no chunks but the last", served: once(answer([TYPE, CHUNKED], "0\r\n\r\n")) },
  { name: "Chunked in capitals", served: once(answer([TYPE, "TRANSFER-ENCODING: CHUNKED"], chunked())) },
  { name: "lengths of chunks in capitals", served: once(answer([CHUNKED], `1A\r\n${"x".repeat(26)}\r\n0\r\n\r\n`)) },
  { name: "lengths of chunks with zeros", served: once(answer([CHUNKED], "0002\r\n{}\r\n00000000\r\n\r\n")) },
  { name: "gzip", served: once(gzipped(gzipSync(BODY).toString("latin1"))) },
  { name: "gzip in chunks", served: once(zipped(CHUNKED, chunked(gzipSync(BODY).toString("latin1"), 5))) },
  { name: "gzip that is none", served: once(gzipped("{}")) },
  { name: "gzip cut off", served: once(gzipped(gzipSync(BODY).toString("latin1").slice(0, 20))) },
  { name: "another compression", served: once(plain("{}", ["Content-Encoding: br"])) },
  { name: "bytes that are no UTF-8", served: once(plain("\xff\xfe\x80{}")) },
  { name: "characters in two chunks", served: once(answer([CHUNKED], chunked(utf8("é€😀"), 1))) },
].map((one) => ({ ...one, isUsual: true }));

function gzipped(body: string): string {
  return zipped(`Content-Length: ${body.length}`, body);
}

function zipped(line: string, body: string): string {
  return answer([TYPE, "Content-Encoding: gzip", line], body);
}

/** What is not sent in one go has an end, or is waited for in vain. */
function each(kind: string, texts: Readonly<Record<string, string>>): readonly WayCase[] {
  return Object.entries(texts).flatMap(([name, text]) => [
    { name: `${kind}: ${name}, then closed`, served: once(text, "ends") },
    { name: `${kind}: ${name}, then silence`, served: once(text), patienceMs: SHORT_MS },
  ]);
}

const length = (value: string, body = "{}"): string => answer([TYPE, `Content-Length:${value}`], body);
const chunks = (body: string): string => answer([TYPE, CHUNKED], body);

const lengths = each("length", {
  "none, until it is closed": answer([TYPE], B),
  none: answer([TYPE]),
  empty: length(""),
  "a space after it": length(" 2 "),
  "a tab after it": length(" 2\t"),
  "a tab before it": length("\t2"),
  "a hard space after it": length(" 2\xa0"),
  negative: length(" -2"),
  "a plus sign": length(" +2"),
  hexadecimal: length(" 0x2"),
  fraction: length(" 2.0"),
  power: length(" 2e0"),
  words: length(" two"),
  list: length(" 2, 2"),
  "two in one": length(" 2 2"),
  "2⁶⁴": length(" 18446744073709551616"),
  "2⁵³": length(" 9007199254740992"),
  "too short": length(" 1"),
  "too long": length(" 3"),
  "twice the same": answer(["Content-Length: 2", "Content-Length: 2"], "{}"),
  "twice, different": answer(["Content-Length: 2", "Content-Length: 1"], "{}"),
  "and chunks": answer(["Content-Length: 2", CHUNKED], chunked("{}")),
  "after chunks": answer([CHUNKED, "Content-Length: 2"], chunked("{}")),
});

const chunkings = each("chunks", {
  "an extension": chunks("2;a=b\r\n{}\r\n0\r\n\r\n"),
  'an extension with "': chunks('2;a="b;\\"c"\r\n{}\r\n0\r\n\r\n'),
  "an extension without a name": chunks("2;\r\n{}\r\n0\r\n\r\n"),
  "an extension of the last": chunks("2\r\n{}\r\n0;a\r\n\r\n"),
  "a space after a length": chunks("2 \r\n{}\r\n0\r\n\r\n"),
  "a space before a length": chunks(" 2\r\n{}\r\n0\r\n\r\n"),
  trailers: chunks("2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n"),
  "a Date as a trailer": chunks(`2\r\n{}\r\n0\r\n${DATE}\r\n\r\n`),
  "a bad trailer": chunks("2\r\n{}\r\n0\r\nX Sum: 1\r\n\r\n"),
  "a length as a trailer": chunks("2\r\n{}\r\n0\r\nContent-Length: 1\r\n\r\n"),
  "no length": chunks("\r\n{}\r\n0\r\n\r\n"),
  "a letter": chunks("g\r\n{}\r\n0\r\n\r\n"),
  "a minus": chunks("-2\r\n{}\r\n0\r\n\r\n"),
  "a plus": chunks("+2\r\n{}\r\n0\r\n\r\n"),
  "0x": chunks("0x2\r\n{}\r\n0\r\n\r\n"),
  "a chunk longer than said": chunks("2\r\n{}}\r\n0\r\n\r\n"),
  "a chunk shorter than said": chunks("3\r\n{}\r\n0\r\n\r\n"),
  "line feeds only": chunks("2\n{}\n0\n\n"),
  "a line feed after a length": chunks("2\n{}\r\n0\r\n\r\n"),
  "a line feed after a chunk": chunks("2\r\n{}\n0\r\n\r\n"),
  "a carriage return only": chunks("2\r{}\r\n0\r\n\r\n"),
  "no end": chunks("2\r\n{}\r\n"),
  "half an end": chunks("2\r\n{}\r\n0\r\n"),
  "nine digits": chunks("000000002\r\n{}\r\n0\r\n\r\n"),
  "a length of 2⁴⁸": chunks("1000000000000\r\n{}\r\n0\r\n\r\n"),
  "a length of 2⁶⁴": chunks("10000000000000000\r\n{}\r\n0\r\n\r\n"),
  "not last": answer(["Transfer-Encoding: chunked, gzip"], chunked("{}")),
  "after another": answer(["Transfer-Encoding: gzip, chunked"], chunked("{}")),
  "twice in one line": answer(["Transfer-Encoding: chunked, chunked"], chunked("{}")),
  "in two lines": answer(["Transfer-Encoding: identity", CHUNKED], chunked("{}")),
  "said twice": answer([CHUNKED, CHUNKED], chunked("{}")),
  "a space after the word": answer([`${CHUNKED} `], chunked("{}")),
  "a tab after the word": answer([`${CHUNKED}\t`], chunked("{}")),
  "a hard space after the word": answer([`${CHUNKED}\xa0`], chunked("{}")),
  "identity instead": answer(["Transfer-Encoding: identity"], "{}"),
  "an empty encoding": answer(["Transfer-Encoding:"], "{}"),
});

const surplus = each("more than an answer", {
  "a line": `${plain()}\r\n`,
  "another answer": plain() + plain("[]"),
  "half of another": plain() + plain("[]").slice(0, 20),
  "what is no answer": `${plain()}SSH-2.0`,
  "after chunks": `${answer([CHUNKED], chunked())}x`,
  "after the last word": `${plain(B, ["Connection: close"])}x`,
}).map((one) => ({ ...one, times: 2 }));

/** The same, but later. */
const late: readonly WayCase[] = ["\r\n", plain("[]"), plain("[]").slice(0, 20), "SSH-2.0", "\0"].map((more) => ({
  name: `more than an answer, a little later: ${JSON.stringify(more.slice(0, 20))}`,
  served: { pieces: [bytes(plain()), bytes(more)], ending: "stays" },
  times: 2,
}));

/** Where somebody might wait for 64 MiB, or for what never comes. */
const MANY = 2 ** 26 + 1;
const large = [
  {
    name: "64 MiB and a byte more, said",
    served: { pieces: [bytes(length(` ${MANY}`, "")), Buffer.alloc(MANY)], ending: "ends" as const },
  },
  {
    name: "64 MiB and a byte more, said of a chunk",
    served: { pieces: [bytes(chunks(`${MANY.toString(16)}\r\n`)), Buffer.alloc(MANY)], ending: "ends" as const },
  },
].map((one) => ({ ...one, isHeavy: true }));

/** What bodies there are, and how their end is known. */
export const BODY_CASES: readonly WayCase[] = [...usual, ...lengths, ...chunkings, ...surplus, ...late, ...large];
