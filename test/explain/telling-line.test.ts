import { describe, expect, it } from "vitest";
import { tellingLine } from "../../src/explain/answer/telling-line.ts";

describe("tellingLine()", () => {
  it.each<{ why: string; log: string; text: string; isFailure?: false }>([
    {
      why: "the error before lines that say less",
      log: "starting\n2026-11-23T09:14:43.120Z ERROR connect ECONNREFUSED 10.0.0.7:5432\nbye",
      text: "ERROR connect ECONNREFUSED 10.0.0.7:5432",
    },
    {
      why: "the panic of a Go program before its stack",
      log: "panic: dial tcp: lookup dbx: no such host\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:12 +0x1d\nexit status 2",
      text: "panic: dial tcp: lookup dbx: no such host",
    },
    {
      why: "the exception after the stack of a Python program",
      log: "Traceback (most recent call last):\n  File \"/app/errors.py\", line 3, in <module>\n    raise KeyError(url)\nKeyError: 'DB_URL'",
      text: "KeyError: 'DB_URL'",
    },
    {
      why: "the innermost cause of a Java program, and no frame of its stack",
      log: 'Exception in thread "main" java.lang.IllegalStateException\n    at a.ErrorHandler.run(ErrorHandler.java:3)\nCaused by: java.net.ConnectException: Connection refused\n    at b.ErrorSocket.open(ErrorSocket.java:9)\n    ... 12 more',
      text: "Caused by: java.net.ConnectException: Connection refused",
    },
    {
      why: "the error of a Node.js program between its source and its version",
      log: "/app/server.js:4\n  throw new Error(x)\n        ^\n\nError: getaddrinfo ENOTFOUND dbx\n    at errorNext (node:dns:2)\n\nNode.js v22.1.0",
      text: "Error: getaddrinfo ENOTFOUND dbx",
    },
    {
      why: "the line with klog's letter E",
      log: "I1123 09:14:43 a\nE1123 09:14:44 lost lease\nI1123 09:14:45 b",
      text: "lost lease",
    },
    {
      why: "a line with another word for a failure",
      log: "can't open /data/db: permission denied\nbye",
      text: "can't open /data/db: permission denied",
    },
    {
      why: "the last line if none reports a failure",
      log: "starting web 2.1\nlistening on :8080\n\n",
      text: "listening on :8080",
      isFailure: false,
    },
    {
      why: "a frame of a stack if there is no other line",
      log: "    at main.js:3",
      text: "at main.js:3",
      isFailure: false,
    },
  ])("chooses $why", ({ log, text, isFailure = true }) => {
    expect(tellingLine(log.split("\n"))).toEqual({ text, isFailure });
  });

  it("is null without text", () => {
    expect(tellingLine(["", "  "])).toBeNull();
    expect(tellingLine([])).toBeNull();
  });

  it("keeps both ends of a very long line", () => {
    expect(tellingLine([`error: ${"x".repeat(4000)} end`])?.text).toMatch(/^error: …? ?x*…?x*…? ?end$/);
    expect(tellingLine([`error: ${"x".repeat(4000)} end`])?.text.length).toBeLessThan(210);
  });
});
