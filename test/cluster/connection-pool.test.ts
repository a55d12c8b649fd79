import { createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { listenOnFreePort } from "../../lab/network/free-port.ts";
import { connect } from "../../src/cluster/api/connect.ts";
import type { Connection } from "../../src/cluster/connection/connection.ts";
import { askAll, podPaths } from "../support/ask-all.ts";
import { type Answer, echo, tinyServer } from "../support/tiny-server.ts";
import { CERTIFICATE } from "../support/tls-fixtures.ts";

const PATHS = podPaths(200);

const SOME = PATHS.slice(0, 60);

const IN_FLIGHT = PATHS.slice(0, 50);

function userOf({ url }: { url: string }, requestTimeoutMs = 10_000, user = {}): Connection {
  const overrides = { cluster: { server: url, "certificate-authority": CERTIFICATE.file }, user };
  const connection = connect({ overrides, env: {}, requestTimeoutMs });
  onTestFinished(() => connection.close());
  return connection;
}

const tlsServer = (answer: Answer) => tinyServer(answer, { tls: true });

function kindsOf(connection: Connection, paths = PATHS): Promise<string[]> {
  const kindOf = ({ kind }: { kind: string }): string => kind;
  return Promise.all(paths.map((path) => connection.get(path).then(() => "answered", kindOf)));
}

describe("many simultaneous requests", () => {
  it("are answered on at most ten connections, and each is sent once", async () => {
    const server = await tlsServer(echo);
    expect(await askAll(userOf(server), PATHS)).toEqual(PATHS);
    expect(server.asked.toSorted()).toEqual(PATHS.toSorted());
    expect(server.connections.made).toBeLessThanOrEqual(10);
  });

  it("are answered, and each is sent once, if the server closes each connection after an answer", async () => {
    const server = await tlsServer((request, response) => {
      response.setHeader("Connection", "close");
      echo(request, response);
    });
    expect(await askAll(userOf(server), SOME)).toEqual(SOME);
    expect(server.asked.toSorted()).toEqual(SOME.toSorted());
    expect(server.connections.most).toBeLessThanOrEqual(11);
  });

  it("are answered if all connections break twice meanwhile", async () => {
    let asked = 0;
    const server = await tlsServer((request, response) => {
      if (++asked === 60 || asked === 120) server.breakConnections();
      else setImmediate(() => echo(request, response));
    });
    expect(await askAll(userOf(server), PATHS)).toEqual(PATHS);
    expect(server.asked.length).toBeLessThanOrEqual(PATHS.length + 20);
  });

  it("time out, and those that have timed out open no connections", async () => {
    let isSilent = true;
    const server = await tlsServer((request, response) => {
      if (!isSilent) echo(request, response);
    });
    const connection = userOf(server, 1_000);
    expect(new Set(await kindsOf(connection, IN_FLIGHT))).toEqual(new Set(["timeout"]));
    await vi.waitFor(() => expect(server.connections.open).toBe(0), { timeout: 45_000 });
    expect(server.asked.length).toBeLessThanOrEqual(20);
    isSilent = false;
    expect(await askAll(connection, PATHS.slice(0, 5))).toEqual(PATHS.slice(0, 5));
  });

  it("time out on one connection if the server does not answer the TLS handshake", async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket.resume().on("error", () => {})));
    const connection = userOf({ url: `https://${await listenOnFreePort(server)}` }, 1_500);
    onTestFinished(() => void server.close());
    const kinds = kindsOf(connection);
    await vi.waitFor(() => expect(sockets).toHaveLength(1), { timeout: 45_000 });
    await pause(200);
    expect(sockets).toHaveLength(1);
    expect(new Set(await kinds)).toEqual(new Set(["timeout"]));
    // An open connection would keep the process from ending.
    await vi.waitFor(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true), { timeout: 45_000 });
  });
});

describe("connections that the server closes between requests", () => {
  it("are opened again", async () => {
    const server = await tlsServer(echo);
    const connection = userOf(server);
    for (const paths of [PATHS.slice(0, 20), PATHS.slice(20, 40), PATHS.slice(40, 60)]) {
      expect(await askAll(connection, paths)).toEqual(paths);
      server.breakConnections();
      // The client may not have noticed yet that the server has closed its connections.
      expect(await askAll(connection, ["/at-once"])).toEqual(["/at-once"]);
      await pause(10);
    }
  });
});

it.each([
  { user: {}, instead: "nothing" },
  { user: { token: "t" }, instead: "a token" },
  { user: { username: "joe", password: "p" }, instead: "the user's own name and password" },
])("sends the name and password in the server's URL instead of $instead", async ({ user }) => {
  const server = await tlsServer(({ headers }, response) => response.end(JSON.stringify(headers.authorization)));
  const connection = userOf({ url: server.url.replace("//", "//me:a%20b@") }, undefined, user);
  expect(await askAll(connection, ["/"])).toEqual([`Basic ${btoa("me:a b")}`]);
});

it("refuses a server's URL whose password has a % that begins no code", async () => {
  const connection = userOf({ url: "https://me:100%@127.0.0.1:1" });
  await expect(connection.get("/")).rejects.toThrow("the name or password in the server's address has a %");
});

describe("close()", () => {
  it.each([
    { when: "before anything is asked", afterMs: null },
    { when: "while connections are made", afterMs: 0 },
    { when: "while answers are waited for", afterMs: 30 },
  ])("leaves no connection open and no request waiting, and repeats no request: $when", async ({ afterMs }) => {
    const server = await tlsServer(() => {});
    const connection = userOf(server);
    const kinds = afterMs === null ? [] : kindsOf(connection, PATHS.slice(0, 30));
    if (afterMs !== null) await pause(afterMs);
    connection.close();
    expect(new Set(await kinds)).toEqual(new Set(afterMs === null ? [] : ["unreachable"]));
    expect(server.connections.made).toBeLessThanOrEqual(10);
    connection.close();
    await vi.waitFor(() => expect(server.connections.open).toBe(0), { timeout: 45_000 });
  });
});
