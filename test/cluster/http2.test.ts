import type { Http2ServerResponse } from "node:http2";
import { Agent } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startLink } from "../../lab/network/link.ts";
import { connect } from "../../src/cluster/api/connect.ts";
import type { Connection } from "../../src/cluster/connection/connection.ts";
import { httpAnswer } from "../../src/cluster/connection/http.ts";
import { ServerConnections } from "../../src/cluster/connection/server-connections.ts";
import { realTimers, type Timers } from "../../src/cluster/connection/timers.ts";
import { askAll, podPaths } from "../support/ask-all.ts";
import { proxyServer, socksServer } from "../support/proxy-server.ts";
import { type Answer, echo, type TinyServer, tinyServer } from "../support/tiny-server.ts";
import { CERTIFICATE, SERVER_TLS } from "../support/tls-fixtures.ts";

function http2Server(answer: Answer, options: { readonly maxStreams?: number } = {}): Promise<TinyServer> {
  return tinyServer(answer, { tls: true, protocol: "h2", ...options });
}

function userOf(
  { url }: { url: string },
  {
    cluster = {},
    user = {},
    env = {},
    timers,
  }: { cluster?: object; user?: object; env?: Record<string, string>; timers?: Timers } = {},
): Connection {
  const overrides = {
    cluster: { server: url, "certificate-authority": CERTIFICATE.file, ...cluster },
    user: { ...user },
  };
  const connection = connect({ overrides, env, requestTimeoutMs: 10_000 }, timers);
  onTestFinished(() => connection.close());
  return connection;
}

const PATHS = podPaths(100);

function sayGoodbye(response: object): void {
  (response as Http2ServerResponse).stream.session?.goaway(0);
}

describe("a server that speaks HTTP/2", () => {
  it("answers all requests on one connection, each once", async () => {
    const server = await http2Server(echo);
    expect(await askAll(userOf(server), PATHS)).toEqual(PATHS);
    expect(server.asked.toSorted()).toEqual(PATHS.toSorted());
    expect([...server.versions]).toEqual(["2.0"]);
    expect(server.connections.made).toBe(1);
  });

  it("gets HTTP/1.1 with DISABLE_HTTP2, as from kubectl", async () => {
    const server = await http2Server(echo);
    expect(await askAll(userOf(server, { env: { DISABLE_HTTP2: "1" } }), ["/a"])).toEqual(["/a"]);
    expect([server.asked, [...server.versions]]).toEqual([["/a"], ["1.1"]]);
  });

  it.each([
    ["an http proxy", async ({ url }: TinyServer) => `http://${(await proxyServer(url)).address}`],
    ["a socks5 proxy", async ({ url }: TinyServer) => socksServer(url)],
    ["a SOCKS5H proxy", async ({ url }: TinyServer) => (await socksServer(url)).replace("socks5:", "SOCKS5H:")],
  ])("is reached through %s", async (_, startProxy) => {
    const server = await http2Server(echo);
    const cluster = { "proxy-url": await startProxy(server) };
    expect(await askAll(userOf(server, { cluster }), PATHS.slice(0, 20))).toEqual(PATHS.slice(0, 20));
    expect([...server.versions]).toEqual(["2.0"]);
    expect(server.connections.made).toBe(1);
  });

  it("gets more connections if it allows only two streams on each", async () => {
    const server = await http2Server((request, response) => setTimeout(echo, 5, request, response), { maxStreams: 2 });
    const connection = userOf(server);
    expect(await askAll(connection, ["/first"])).toEqual(["/first"]);
    expect(await askAll(connection, PATHS.slice(0, 6))).toEqual(PATHS.slice(0, 6));
    expect(server.connections.made).toBeGreaterThan(1);
  });

  it("that resets a stream gets only that request again", async () => {
    let resets = 0;
    const server = await http2Server((request, response) => {
      if (request.url === PATHS[3] && resets++ === 0) {
        response.write('"half');
        setTimeout(() => response.destroy(new Error("reset")), 5);
      } else echo(request, response);
    });
    expect(await askAll(userOf(server), PATHS.slice(0, 6))).toEqual(PATHS.slice(0, 6));
    expect(server.asked).toHaveLength(7);
    expect(server.connections.made).toBe(1);
  });

  it("that sends GOAWAY answers what it has begun, and later requests on another connection", async () => {
    const server = await http2Server((request, response) => {
      if (server.asked.length === 2) sayGoodbye(response);
      setTimeout(echo, 20, request, response);
    });
    const connection = userOf(server);
    const first = askAll(connection, PATHS.slice(0, 5));
    await vi.waitFor(() => expect(server.asked.length).toBeGreaterThanOrEqual(5), { timeout: 45_000 });
    expect(await askAll(connection, ["/later"])).toEqual(["/later"]);
    expect(await first).toEqual(PATHS.slice(0, 5));
    expect(server.connections.made).toBe(2);
  });

  it("that breaks all connections gets the requests again", async () => {
    const server = await http2Server((request, response) => {
      if (server.asked.length === 30) server.breakConnections();
      else setTimeout(echo, 2, request, response);
    });
    expect(await askAll(userOf(server), PATHS)).toEqual(PATHS);
    expect(server.connections.made).toBe(2);
  });

  it("gets one connection for a stream and the requests beside it", async () => {
    const server = await http2Server((request, response) => {
      if (request.url?.includes("watch") === true) response.write('{"a":1}\n');
      else echo(request, response);
    });
    const connection = userOf(server);
    const stream = await connection.stream("/watch", { query: {}, signal: new AbortController().signal });
    const lines = stream.lines[Symbol.asyncIterator]();
    expect(await lines.next()).toEqual({ done: false, value: '{"a":1}' });
    expect(await askAll(connection, PATHS.slice(0, 3))).toEqual(PATHS.slice(0, 3));
    expect(server.connections.made).toBe(1);
    stream.close();
    await expect(lines.next()).rejects.toMatchObject({ kind: "unreachable" });
    expect(await askAll(connection, ["/later"])).toEqual(["/later"]);
    expect(server.connections.made).toBe(1);
  });

  it("has its open streams and requests fail when the caller closes the connection", async () => {
    const server = await http2Server((request, response) => {
      if (request.url?.includes("watch") === true) response.write('{"a":1}\n');
    });
    const connection = userOf(server);
    const stream = await connection.stream("/watch", { query: {}, signal: new AbortController().signal });
    const lines = stream.lines[Symbol.asyncIterator]();
    await lines.next();
    const answer = connection.get("/never");
    await vi.waitFor(() => expect(server.asked).toHaveLength(2), { timeout: 45_000 });
    connection.close();
    await expect(lines.next()).rejects.toMatchObject({ kind: "unreachable" });
    await expect(answer).rejects.toMatchObject({ kind: "unreachable", lost: null });
  });

  it("has no connection left that was being opened when the caller retired it", async () => {
    const server = await http2Server(echo);
    const agent = new Agent({ ca: SERVER_TLS.cert });
    const connections = new ServerConnections(agent, server.url, realTimers(Date.now), {});
    onTestFinished(() => connections.close());
    const signal = new AbortController().signal;
    const begin = (path: string) =>
      connections.begin({ url: new URL(path, server.url), headers: {}, signal, isStream: false });
    const begun = [begin("/a"), begin("/b")];
    connections.retire();
    const answers = await Promise.all(begun.map(async (one) => (await httpAnswer(await one)).text));
    expect(answers).toEqual(['"/a"', '"/b"']);
    await vi.waitFor(() => expect(server.connections.open).toBe(0), { timeout: 5_000 });
  });

  it("may send answers that are larger than the flow-control window", async () => {
    const large = JSON.stringify("x".repeat(2e7));
    const server = await http2Server((_, response) => void response.end(large));
    const answers = await askAll(userOf(server), ["/a", "/b", "/c"]);
    expect(answers.map((body) => String(body).length)).toEqual([2e7, 2e7, 2e7]);
  });
});

/** Time runs twenty times as fast: a busy machine then has 750 ms to answer a ping. */
const HASTY: Timers = {
  ...realTimers(() => performance.now() * 20),
  after: (ms, run) => {
    const timer = setTimeout(run, ms / 20);
    return () => clearTimeout(timer);
  },
};

describe("a dead link", () => {
  it("fails all its streams when pings are no longer answered, and none before", async () => {
    const server = await http2Server((_, response) => void response.write('{"a":1}\n'));
    const link = await startLink(server.url);
    onTestFinished(link.close);
    const connection = userOf(link, { timers: HASTY });
    const open = () =>
      connection.stream("/watch", { query: {}, signal: new AbortController().signal, timeoutMs: Infinity });
    const lines = (await Promise.all([open(), open()])).map((stream) => stream.lines[Symbol.asyncIterator]());
    await Promise.all(lines.map((one) => one.next()));
    const ends = lines.map((one) => one.next().catch((error: unknown) => error));
    expect(await Promise.race([...ends, pause(3_000, "nothing yet")])).toBe("nothing yet");
    link.stall();
    const dead = { kind: "unreachable", lost: "broken", message: "nothing is heard on the connection" };
    expect(await Promise.all(ends)).toEqual([expect.objectContaining(dead), expect.objectContaining(dead)]);
  });
});
