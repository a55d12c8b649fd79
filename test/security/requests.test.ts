import { describe, expect, it } from "vitest";
import { filesBelow, withoutComments } from "../support/source-text.ts";

/**
 * Code that may send another method than GET, or open connections by other means than Node's `http.get` and
 * `https.get`.
 */
const OTHER_WAYS: readonly RegExp[] = [
  /["'`](POST|PUT|PATCH|DELETE|CONNECT|OPTIONS|HEAD)["'`]/,
  /\bmethod\s*:/,
  /\b(https?|net|tls|http2)\.(request|connect|createConnection)\b/,
  /\brequest\s*\(\s*["'`{]/,
  /\{ (request|connect|createConnection) \} =/,
  /\bfetch\s*\(/,
  /\b(WebSocket|EventSource|sendBeacon|XMLHttpRequest)\b/,
  /["'`](node:)?(http2|net|dgram|dns|undici|ws)(\/\w+)?["'`]/,
];
/** `isIP` and `BlockList` only look at addresses. */
const ALLOWED = /import \{ (BlockList, )?isIP \} from "node:net";/;

function otherWaysIn(text: string): string[] {
  const code = withoutComments(text).replace(ALLOWED, "");
  return OTHER_WAYS.flatMap((way) => way.exec(code)?.[0] ?? []);
}

const RENEWAL = "src/cluster/connection/oidc.ts";

const HTTP2 = "src/cluster/connection/http2.ts";

const SOURCES = filesBelow("src", /\.ts$/);

describe("requests", () => {
  it("are sent with GET only, except the one that renews a token", () => {
    const others = SOURCES.filter(({ path }) => path !== RENEWAL && path !== HTTP2);
    expect(others.flatMap(({ path, text }) => otherWaysIn(text).map((way) => `${path}: ${way}`))).toEqual([]);
    expect(otherWaysIn(textOf(RENEWAL))).toEqual(["{ request } ="]);
    // node:http2 sends a GET if the headers have no ":method".
    expect(otherWaysIn(textOf(HTTP2))).toEqual(["request({", '"node:http2"']);
    expect(textOf(HTTP2)).not.toContain("method");
    // openid-client chooses the methods.
    const calls = withoutComments(textOf(RENEWAL)).match(/\bclient\.[a-z]\w+\(/g);
    expect([...new Set(calls)]).toEqual(["client.discovery(", "client.refreshTokenGrant("]);
  });

  it("that renew a token are sent by one file, which is loaded only for an auth-provider", () => {
    const filesWith = (name: RegExp) => SOURCES.filter(({ text }) => name.test(withoutComments(text)));
    expect(filesWith(/openid-client/).map(({ path }) => path)).toEqual([RENEWAL]);
    expect(filesWith(/\/oidc\.ts["']/).map(({ path }) => path)).toEqual(["src/cluster/connection/credentials.ts"]);
    expect(textOf("src/cluster/connection/credentials.ts")).toContain('await import("./oidc.ts")');
  });

  it("to the API server are sent from one file for each protocol", () => {
    const senders = SOURCES.filter(({ text }) => /\bhttps?\.get\b/.test(withoutTypes(text)));
    expect(senders.map(({ path }) => path)).toEqual(["src/cluster/connection/http1.ts"]);
    const callers = SOURCES.filter(({ text }) => /\.request\(/.test(withoutComments(text)));
    expect(callers.map(({ path }) => path)).toEqual([HTTP2]);
  });

  it("go to no address that is written in the sources: there is no telemetry", () => {
    const code = SOURCES.map(({ path, text }) => ({ path, text: withoutComments(text) }));
    const addresses = code.flatMap(({ text }) =>
      [...text.matchAll(/\bhttps?:\/\/[\w.-]+\.\w+[^\s"'`]*/g)].map(([found]) => found),
    );
    // The namespace of SVG, and an example in the message about a wrong --server.
    expect([...new Set(addresses)].sort()).toEqual(["http://www.w3.org/2000/svg", "https://10.0.0.1:6443"]);
  });
});

function textOf(file: string): string {
  return SOURCES.find(({ path }) => path === file)?.text ?? "";
}

function withoutTypes(text: string): string {
  return withoutComments(text).replaceAll(/^import type .*$/gm, "");
}
