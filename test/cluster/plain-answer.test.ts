import { describe, expect, it } from "vitest";
import { MOST_ANSWER_BYTES } from "../../src/cluster/answer-body.ts";
import { UnclearAnswer } from "../../src/cluster/answer-input.ts";
import { type PlainAnswer, readAnswer } from "../../src/cluster/plain-answer.ts";
import { RequestFailure } from "../../src/cluster/request-failure.ts";

/** What is read of pieces that come one after the other; null if more would have to come. */
function read(...pieces: readonly (string | Buffer)[]): PlainAnswer | null {
  const reading = readAnswer();
  reading.next();
  for (const [index, piece] of pieces.entries()) {
    const { done, value } = reading.next(Buffer.from(piece as string, "latin1"));
    if (done !== true) continue;
    expect(index).toBe(pieces.length - 1);
    return value;
  }
  return null;
}

function bodyOf(answer: PlainAnswer | null): string | null {
  return answer === null ? null : Buffer.concat(answer.body).toString("utf8");
}

/** An answer with these lines after the first. */
function ok(headers: readonly string[], body = ""): string {
  return ["HTTP/1.1 200 OK", ...headers, "", body].join("\r\n");
}

const CHUNKED = ok(["Date: now", "Transfer-Encoding: chunked"], '4\r\n{"a"\r\n007\r\n: "b"}\n\r\n0\r\n\r\n');
const COUNTED = ok(["Content-Length: 10", "Content-Type: application/json"], '{"a": "b"}');

describe("readAnswer()", () => {
  it.each([
    { answer: COUNTED, body: '{"a": "b"}', why: "its length is said" },
    { answer: CHUNKED, body: '{"a": "b"}\n', why: "it comes in chunks" },
    { answer: ok(["content-length:0"]), body: "", why: "it is empty" },
    { answer: ok(["TRANSFER-ENCODING: Chunked"], "0\r\n\r\n"), body: "", why: "it has no chunk but the last" },
  ])("reads an answer when $why, wherever it is cut into pieces", ({ answer, body }) => {
    expect(bodyOf(read(answer))).toBe(body);
    for (let at = 1; at < answer.length; at++) {
      expect(bodyOf(read(answer.slice(0, at), answer.slice(at))), `cut at ${at}`).toBe(body);
      expect(read(answer.slice(0, at)), `only ${at} bytes`).toBeNull();
    }
    expect(bodyOf(read(...answer))).toBe(body);
  });

  it("gives status and headers: names in lower case, the first of each, without the blanks around a value", () => {
    const head = ok(["Warning: one", "warning: two", "Audit-Id: \t caf\u00e9 \t", "X-Empty:", "Content-Length: 0"]);
    const answer = read(head.replace("200 OK", "404 Not found"));
    expect(answer?.status).toBe(404);
    expect(answer?.headers).toEqual({ warning: "one", "audit-id": "caf\u00e9", "x-empty": "", "content-length": "0" });
  });

  it.each([
    { line: "X: y", staysOpen: true, why: "HTTP/1.1 does unless it says otherwise" },
    { line: "Connection: Keep-Alive", staysOpen: true, why: "it says so" },
    { line: "Connection: close", staysOpen: false, why: "it says so" },
    { line: "Connection: upgrade", staysOpen: false, why: "nobody knows what comes next" },
  ])("tells whether the connection stays open: $line, $why", ({ line, staysOpen }) => {
    expect(read(ok([line, "Content-Length: 0"]))?.staysOpen).toBe(staysOpen);
  });

  it.each([
    { answer: "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", why: "another version" },
    { answer: "HTTP/1.1 100 Continue\r\n\r\n", why: "not the last word" },
    { answer: "HTTP/1.1 204 No Content\r\n\r\n", why: "has no body" },
    { answer: "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", why: "has no body, whatever its length" },
    { answer: "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n", why: "no status" },
    { answer: "HTTP/1.1 200\nContent-Length: 0\n\n0\r\n\r\n", why: "lines end otherwise" },
    { answer: ok(["Date: now"], "until the end\r\n\r\n"), why: "goes on until the server hangs up" },
    { answer: ok(["Content-Length: 1", "Content-Length: 1"], "a"), why: "two lengths" },
    { answer: ok(["Content-Length: 5", "Transfer-Encoding: chunked"], "0\r\n\r\n"), why: "a length and chunks" },
    { answer: ok(["Transfer-Encoding: gzip, chunked"], "0\r\n\r\n"), why: "another encoding" },
    { answer: ok(["Content-Length: +1"], "a"), why: "no plain length" },
    { answer: ok(["Content-Length: 0x1"], "a"), why: "no plain length" },
    { answer: ok(["Content-Length: 0", " folded: yes"]), why: "a folded header" },
    { answer: ok(["Content-Length : 0"]), why: "a blank before the colon" },
    { answer: ok(["Content-Length: 0", "no header"]), why: "a line that is none" },
    { answer: ok(["Content-Length: 0", "X: a\0b"]), why: "a character that no header may have" },
    { answer: ok(["Content-Encoding: gzip", "content-encoding: br", "Content-Length: 0"]), why: "two encodings" },
    { answer: ok(["Transfer-Encoding: chunked"], "1;name=value\r\na\r\n0\r\n\r\n"), why: "an extension of a chunk" },
    { answer: ok(["Transfer-Encoding: chunked"], "\r\na\r\n0\r\n\r\n"), why: "a chunk without a length" },
    { answer: ok(["Transfer-Encoding: chunked"], "-1\r\na\r\n0\r\n\r\n"), why: "a negative length" },
    { answer: ok(["Transfer-Encoding: chunked"], "1\r\nab\r\n0\r\n\r\n"), why: "a chunk of another length" },
    { answer: ok(["Transfer-Encoding: chunked"], "0\r\nTrailer: yes\r\n\r\n"), why: "trailers" },
    { answer: ok(["Transfer-Encoding: chunked"], "000000001\r\na\r\n0\r\n\r\n"), why: "a length of too many digits" },
    { answer: `${ok([`X: ${"y".repeat(2 ** 14)}`])}`, why: "a head beyond all measure" },
    { answer: "x".repeat(2 ** 14 + 5), why: "no head at all" },
    { answer: "SSH-2.0-OpenSSH_9.2p1\r\n\r\n", why: "no HTTP" },
  ])("leaves to Node's client what is $why", ({ answer }) => {
    expect(() => read(answer)).toThrow(UnclearAnswer);
    expect(() => read(...answer)).toThrow(UnclearAnswer);
  });

  it("leaves to Node's client an answer with which more comes than was asked for", () => {
    expect(() => read(ok(["Content-Length: 0"], "more"))).toThrow(UnclearAnswer);
  });

  it.each([
    { answer: ok([`Content-Length: ${MOST_ANSWER_BYTES + 1}`]), why: "its length says so" },
    { answer: ok(["Transfer-Encoding: chunked"], "ffffffff\r\n"), why: "a chunk says so" },
  ])("refuses what is too large as soon as $why", ({ answer }) => {
    expect(() => read(answer)).toThrow(RequestFailure);
    expect(() => read(answer)).toThrow("it is larger than 64 MiB");
  });
});
