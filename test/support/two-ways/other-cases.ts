import { once, plain, SHORT_MS, type WayCase } from "./case.ts";

/** Line ends that are not as they should be. */
const ends: readonly WayCase[] = Object.entries({
  "line feeds only": plain().replaceAll("\r\n", "\n"),
  "a line feed after the first line": plain().replace("\r\n", "\n"),
  "a line feed after another": plain().replace("json\r\n", "json\n"),
  "a line feed at the end": plain().replace("\r\n\r\n", "\r\n\n"),
  "carriage returns only": plain().replaceAll("\r\n", "\r"),
  "two carriage returns": plain().replace("\r\n", "\r\r\n"),
  "an empty line too early": plain().replace("\r\n", "\r\n\r\n"),
}).flatMap(([name, text]) => [
  { name: `ends of lines: ${name}`, served: once(text), patienceMs: SHORT_MS },
  { name: `ends of lines: ${name}, then closed`, served: once(text, "ends") },
]);

/** What no answer of HTTP begins with, and what begins like one. */
const others: readonly WayCase[] = [
  "SSH-2.0-OpenSSH_9.2\r\n",
  "SSH-2.0",
  "220 mail.example ESMTP\r\n",
  "* OK IMAP4rev1\r\n",
  "\0\x01\x02",
  "\x16\x03\x01\x02",
  "{}",
  " ",
  "\r\n",
  "\n",
  "H",
  "HTTP/",
  "HTTP/1.1",
  "HTTP/1.1 2x",
  "HTTP/1.1 200 OK\r\nX",
  "HTTP/1.1 200 OK\r\nX A",
  "HTTP/1.1 200 OK\r\nX: a\0",
  "HTTP/1.1 200 OK\r\nX: a\r",
  "HTTP/1.1 200 OK\r\nX: a\rb",
  "HTTP/1.1 200 OK\r\nContent-Length: x",
  "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n",
  "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}x",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x64",
  "x".repeat(20_000),
  `HTTP/1.1 200 OK\r\nX: ${"a".repeat(20_000)}`,
].flatMap((text) => {
  const name = `beginning ${JSON.stringify(text.slice(-60))}`;
  return [
    { name: `${name}, then silence`, served: once(text), patienceMs: SHORT_MS },
    { name: `${name}, then closed`, served: once(text, "ends") },
  ];
});

/** What looks like an answer and is none. */
export const OTHER_CASES: readonly WayCase[] = [...ends, ...others];
