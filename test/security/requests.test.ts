import { describe, expect, it } from "vitest";
import { filesBelow, withoutComments } from "../support/source-text.ts";

/** What sends anything but GET, or opens a connection in another way than Node's `http.get` and `https.get`. */
const OTHER_WAYS: readonly RegExp[] = [
  /["'`](POST|PUT|PATCH|DELETE|CONNECT|OPTIONS|HEAD)["'`]/,
  /\bmethod\s*:/,
  /\b(https?|net|tls|http2)\.(request|connect|createConnection)\b/,
  /\brequest\s*\(\s*["'`{]/,
  /\bfetch\s*\(/,
  /\b(WebSocket|EventSource|sendBeacon|XMLHttpRequest)\b/,
  /["'`](node:)?(http2|net|dgram|dns|undici|ws)(\/\w+)?["'`]/,
];
/** `isIP` and `BlockList`, which look at addresses. */
const ALLOWED = /import \{ (BlockList, )?isIP \} from "node:net";/;

function otherWaysIn(text: string): string[] {
  const code = withoutComments(text).replace(ALLOWED, "");
  return OTHER_WAYS.flatMap((way) => way.exec(code)?.[0] ?? []);
}

/** What talks to an identity provider. */
const RENEWAL = "src/cluster/oidc-request.ts";

/** What has a connection of its own, and writes to it what `DIRECT` says. */
const CONNECTION = "src/cluster/direct-connection.ts";
const DIRECT = "src/cluster/direct-connections.ts";

const SOURCES = filesBelow("src", /\.ts$/);

describe("requests", () => {
  it("are sent with GET only, but for the one that renews a token", () => {
    const others = SOURCES.filter(({ path }) => path !== RENEWAL && path !== CONNECTION);
    expect(others.flatMap(({ path, text }) => otherWaysIn(text).map((way) => `${path}: ${way}`))).toEqual([]);
    const renewal = withoutComments(textOf(RENEWAL));
    expect([...renewal.matchAll(/\bmethod\s*:.*?,/g)].map(([found]) => found)).toEqual(['method: "POST",']);
    expect(otherWaysIn(renewal.replace('method: "POST"', "").replace(/\bhttps?\.request\b/g, ""))).toEqual([]);
  });

  it("are GET, too, where they are written by hand, which is in one place", () => {
    const connection = withoutComments(textOf(CONNECTION));
    expect(otherWaysIn(connection)).toEqual(["tls.connect"]);
    expect(connection.match(/\.(write|end)\(.*/g)).toEqual(['.write(request, "latin1");']);
    const callers = SOURCES.filter(({ text }) => /\bDirectConnection\b/.test(withoutTypes(text))).map(
      ({ path }) => path,
    );
    expect(callers).toEqual([CONNECTION, DIRECT]);
    const methods = SOURCES.flatMap(({ text }) => [...withoutComments(text).matchAll(/(\w+) [^`"']*HTTP\/1\.1[`"']/g)]);
    expect(methods.map(([, method]) => method)).toEqual(["GET"]);
  });

  it("that renew a token are sent by who renews it, and by nobody else", () => {
    const importers = SOURCES.filter(({ text }) => /from "\.\/oidc-request\.ts"/.test(text)).map(({ path }) => path);
    expect(importers).toEqual(["src/cluster/oidc-refresh.ts"]);
  });

  it("to the API server are otherwise sent from two files", () => {
    const senders = SOURCES.filter(({ text }) => /from "node:https?"/.test(withoutTypes(text)));
    const sending = senders.filter(({ text }) => /\bhttps?\.get\b/.test(text)).map(({ path }) => path);
    expect(sending).toEqual(["src/cluster/http-get.ts", "src/cluster/http-stream.ts"]);
  });

  it("are never sent to an address that is in the sources: there is no telemetry", () => {
    const code = SOURCES.map(({ path, text }) => ({ path, text: withoutComments(text) }));
    const addresses = code.flatMap(({ text }) =>
      [...text.matchAll(/\bhttps?:\/\/[\w.-]+\.\w+[^\s"'`]*/g)].map(([found]) => found),
    );
    // A namespace of XML, and an example in the message about a wrong --server.
    expect([...new Set(addresses)].sort()).toEqual(["http://www.w3.org/2000/svg", "https://10.0.0.1:6443"]);
  });
});

function textOf(file: string): string {
  return SOURCES.find(({ path }) => path === file)?.text ?? "";
}

function withoutTypes(text: string): string {
  return withoutComments(text).replaceAll(/^import type .*$/gm, "");
}

describe("the search for other ways", () => {
  it.each([
    'request(url, { method: "POST" })',
    "const options = { method: verb };",
    "https.request(url)",
    'import { connect } from "node:net";',
    'import { request } from "undici";',
    "await fetch(url)",
    "new WebSocket(url)",
    'const http2 = await import("node:http2");',
  ])("finds %s", (code) => {
    expect(otherWaysIn(code)).not.toEqual([]);
  });

  it.each(["https.get(url)", "// method: POST", 'import { BlockList, isIP } from "node:net";'])("passes %s", (code) => {
    expect(otherWaysIn(code)).toEqual([]);
  });
});
