import { gzipSync } from "node:zlib";
import { MOST_ANSWER_BYTES } from "../../src/cluster/connection/http.ts";
import type { FaultKind } from "../api-server/faults.ts";
import { answering } from "./answers.ts";
import { type FaultCase, LONG_MS, MAIN_COMMANDS, MIDDLE_MS } from "./case.ts";
import { LAB_NOW_MS, SCHEMES } from "./lab.ts";
import { ANSWERS, fails, type Outcome } from "./outcome.ts";
import { loopingPod } from "./pod.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const POD = JSON.stringify(loopingPod(LAB_NOW_MS));

const base = { asked: MAIN_COMMANDS, timeoutMs: LONG_MS } as const;

function body(fault: string, variant: string, given: FaultKind, outcome: Outcome): FaultCase {
  return { ...base, fault, variant, outcome, arrange: answering(given) };
}

function text(content: string | Buffer, headers: Readonly<Record<string, string>> = JSON_TYPE): FaultKind {
  return { status: 200, headers, body: content };
}

const NOT_READABLE = fails(/^Error: Can't read the answer of .+: it /, "its answer cannot be read, and why");
const PAGE = fails(/it is a web page, such as a login or a proxy shows\.\nCheck that/, "its answer is a web page");

const types: readonly FaultCase[] = [
  ...["text/plain", "application/vnd.kubernetes+json", "application/octet-stream"].map((type) => ({
    ...body("JSON of another content type", type, text(POD, { "Content-Type": type }), ANSWERS),
    asked: ["explain", "wait", "watch"] as const,
  })),
  body(
    "other content than JSON",
    "protobuf",
    text(Buffer.from("k8s\0\n\x0f\n\x02v1\x12\x03Pod", "latin1"), {
      "Content-Type": "application/vnd.kubernetes.protobuf",
    }),
    NOT_READABLE,
  ),
  ...[
    ...["", "null", "true", "0", '"web-0"', "[]", "{}", "\ufeff", "NaN"],
    ...['{"kind":"Status","status":"Failure"}', '{"items":{}}'],
  ].map((content) =>
    body("other content than JSON of what was asked for", JSON.stringify(content), text(content), NOT_READABLE),
  ),
  body("other content than JSON of what was asked for", "deep", text("[".repeat(1e6)), NOT_READABLE),
  body(
    "page with status 200",
    "login",
    text("<!doctype html><html>", { "Content-Type": "text/html; charset=utf-8" }),
    PAGE,
  ),
  body("page with status 200", "in upper case", text("<HTML>", { "Content-Type": "Text/HTML" }), PAGE),
  body("page with status 200", "said to be JSON", text("<html>Log in</html>"), NOT_READABLE),
];

const SHORT = { ...JSON_TYPE, "Content-Length": "100" };
const MALFORMED = fails(
  /^Error: Can't (?:reach .+: the connection was broken off|read the answer of .+: it )/,
  "no answer",
);

const lengths: readonly FaultCase[] = [
  { ...body("wrong Content-Length", "too short", text(POD, SHORT), NOT_READABLE), protocols: ["http/1.1"] },
  // In HTTP/2, an answer whose length differs from Content-Length is malformed (RFC 9113, section 8.1.1).
  { ...body("wrong Content-Length", "too short", text(POD, SHORT), MALFORMED), protocols: ["h2"] },
  ...[
    { variant: "too long, then closed", length: "100000", says: /broken off/, words: "the connection was broken off" },
    { variant: "no number", length: "many", says: /it is not HTTP \(Parse Error/, words: "its answer is not HTTP" },
    { variant: "negative", length: "-1", says: /it is not HTTP \(Parse Error/, words: "its answer is not HTTP" },
  ].flatMap(({ variant, length, says, words }) =>
    raw(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${POD}`, variant, says, words),
  ),
];

function raw(
  answer: string,
  variant: string,
  says: RegExp,
  words: string,
  fault = "wrong Content-Length",
): readonly FaultCase[] {
  return SCHEMES.map((scheme) => ({
    ...base,
    // The program repeats a request whose answer broke off.
    timeoutMs: says.test("broken off") ? MIDDLE_MS : LONG_MS,
    fault,
    variant: `${variant}, ${scheme}`,
    outcome: fails(says, words),
    arrange: async (lab) => lab.connectToRaw(scheme, (client) => void client.once("data", () => client.end(answer))),
  }));
}

const protocols: readonly FaultCase[] = Object.entries({
  SSH: "SSH-2.0-OpenSSH_9.2\r\n",
  bytes: "\0\x01\x02".repeat(100),
  "100 kB of headers": `HTTP/1.1 200 OK\r\nX: ${"x".repeat(1e5)}\r\n\r\n`,
  "a bad chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
}).flatMap(([variant, answer]) => raw(answer, variant, /it is not HTTP/, "its answer is not HTTP", "no HTTP"));

const truncated: readonly FaultCase[] = [0.1, 0.5, 0.9, 0.999].map((share) => ({
  ...base,
  fault: "JSON cut off, with a proper end of the answer",
  variant: `after ${share * 100} %`,
  outcome: NOT_READABLE,
  arrange: async (lab) => {
    const list = JSON.stringify({
      kind: "PodList",
      metadata: {},
      items: [loopingPod(LAB_NOW_MS), loopingPod(LAB_NOW_MS)],
    });
    const whole = lab.asked === "list" ? list : POD;
    const content = whole.slice(0, Math.floor(whole.length * share));
    (await lab.simulator()).fail({ path: lab.mainPath, fault: text(content) });
  },
}));

const TOO_LARGE = fails(/it is larger than 64 MiB\./, "its answer is larger than 64 MiB");
const MIB = 2 ** 20;
const GZIP = { ...JSON_TYPE, "Content-Encoding": "gzip" };
const BOMB = gzipSync(Buffer.alloc(MOST_ANSWER_BYTES + MIB, " "));

const sizes: readonly FaultCase[] = [
  {
    ...base,
    fault: "answer without an end",
    isHeavy: true,
    variant: "JSON that goes on",
    asked: ["explain", "list"],
    outcome: TOO_LARGE,
    arrange: async (lab) => {
      let sent = 0;
      const piece = Buffer.alloc(MIB, " ");
      const endless = {
        *[Symbol.iterator]() {
          for (; ; sent += piece.length) yield piece;
        },
      };
      (await lab.simulator()).fail({
        path: lab.mainPath,
        fault: { status: 200, headers: JSON_TYPE, body: endless },
      });
      return () => (sent < 2 * MOST_ANSWER_BYTES ? [] : [`${sent} bytes were taken`]);
    },
  },
  {
    ...body("gzip bomb", `${BOMB.length >> 10} kB`, text(BOMB, GZIP), TOO_LARGE),
    asked: ["explain", "list"],
    isHeavy: true,
  },
  { ...body("gzip", "as it should be", text(gzipSync(POD), GZIP), ANSWERS), asked: ["explain", "wait", "watch"] },
  body("gzip that is none", "plain JSON", text(POD, GZIP), NOT_READABLE),
  body("gzip that is none", "cut off", text(gzipSync(POD).subarray(0, 200), GZIP), NOT_READABLE),
  body(
    "gzip that is none",
    "another compression",
    text("??", { ...JSON_TYPE, "Content-Encoding": "br" }),
    NOT_READABLE,
  ),
];

export const BODY_FAULTS: readonly FaultCase[] = [...types, ...lengths, ...protocols, ...truncated, ...sizes];
