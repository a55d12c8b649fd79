import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setTimeout as pause } from "node:timers/promises";
import tls from "node:tls";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { DIRECT_REQUESTS, DirectConnections, type DirectMessage } from "../../src/cluster/direct-connections.ts";
import { countingServer } from "../support/counting-server.ts";
import { type Answer, SERVER_TLS, type TinyServer } from "../support/tiny-server.ts";

const SETTINGS = { secureContext: tls.createSecureContext({ ca: SERVER_TLS.cert }), rejectUnauthorized: true };
const { signal: NEVER } = new AbortController();

function connectionsTo(server: TinyServer): DirectConnections {
  const connections = new DirectConnections(server.url, SETTINGS);
  onTestFinished(() => connections.close());
  return connections;
}

/** Answers with the path, a little later, so that requests overlap. */
const echo: Answer = async ({ url }, response) => {
  await pause(5);
  response.end(url);
};

describe("get()", () => {
  it("sends the request that Node's client would send, and gives the answer", async () => {
    const server = await countingServer(({ method, url, rawHeaders, httpVersion }, response) => {
      response.writeHead(404, { Date: "Sat, 21 Nov 2026 12:10:00 GMT", "X-Is": "here" });
      response.end(JSON.stringify({ method, url, rawHeaders, httpVersion }));
    });
    const headers = { Authorization: "Bearer a", "Impersonate-Group": ["b", "c"] };
    const answer = await connectionsTo(server).get(`${server.url}/a/../b%2Fc?d=%20`, headers, NEVER);
    expect(answer).toMatchObject({ status: 404, headers: { date: "Sat, 21 Nov 2026 12:10:00 GMT", "x-is": "here" } });
    expect(JSON.parse(answer?.text ?? "")).toEqual({
      method: "GET",
      url: "/b%2Fc?d=%20",
      rawHeaders: [
        ...["Host", new URL(server.url).host, "Authorization", "Bearer a"],
        ...["Impersonate-Group", "b", "Impersonate-Group", "c", "Connection", "keep-alive"],
      ],
      httpVersion: "1.1",
    });
  });

  it.each([
    { headers: { Authorization: "Bearer a\r\nX: y" }, why: "a line break" },
    { headers: { "Impersonate-User": "\u{1f600}" }, why: "no byte for a character" },
    { headers: { "a b": "c" }, why: "no name" },
  ])("leaves a request to Node's client that has a header with $why", async ({ headers }) => {
    const server = await countingServer(echo);
    expect(await connectionsTo(server).get(server.url, headers as Record<string, string>, NEVER)).toBeNull();
    expect(server.asked).toEqual([]);
  });

  it("asks one after the other on one connection, and two at once on two", async () => {
    const server = await countingServer(echo);
    const connections = connectionsTo(server);
    for (const path of ["/a", "/b", "/c"]) await connections.get(server.url + path, {}, NEVER);
    expect(server.counts.made).toBe(1);
    const answers = await Promise.all(["/d", "/e"].map((path) => connections.get(server.url + path, {}, NEVER)));
    expect(answers.map((answer) => answer?.text)).toEqual(["/d", "/e"]);
    expect(server.counts).toMatchObject({ made: 2, open: 2 });
  });

  it.each([
    { requests: 4, made: 2, why: "to wait for one of two is quicker than to open another" },
    { requests: 100, made: 10, why: "no more than ten are open" },
  ])("answers $requests at once over $made connections: $why", async ({ requests, made }) => {
    const server = await countingServer(echo);
    const connections = connectionsTo(server);
    const paths = Array.from({ length: requests }, (_, index) => `/${index}`);
    const answers = await Promise.all(paths.map((path) => connections.get(server.url + path, {}, NEVER)));
    expect(answers.map((answer) => answer?.text)).toEqual(paths);
    expect(server.counts.made).toBe(made);
  });

  it("goes on with new connections where the server closes each one after an answer", async () => {
    const server = await countingServer(async ({ url }, response) => {
      await pause(1);
      response.setHeader("Connection", "close").end(url);
    });
    const connections = connectionsTo(server);
    const paths = Array.from({ length: 30 }, (_, index) => `/${index}`);
    const answers = await Promise.all(paths.map((path) => connections.get(server.url + path, {}, NEVER)));
    expect(answers.map((answer) => answer?.text)).toEqual(paths);
    expect(server.counts.made).toBe(30);
  });

  it("opens a new connection where an idle one has been closed meanwhile", async () => {
    const server = await countingServer(echo);
    const connections = connectionsTo(server);
    await connections.get(server.url, {}, NEVER);
    server.breakConnections();
    // It takes a moment until that is known on this side.
    const again = () => connections.get(`${server.url}/again`, {}, NEVER);
    await vi.waitFor(async () => expect((await again())?.text).toBe("/again"));
    expect(server.counts).toMatchObject({ made: 2, open: 1 });
  });

  it("gives null for an answer that is none of those that are read here, and closes the connection", async () => {
    const server = await countingServer((_, response) => {
      response.socket?.end("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
    expect(await connectionsTo(server).get(server.url, {}, NEVER)).toBeNull();
    await vi.waitFor(() => expect(server.counts.open).toBe(0));
  });

  it("fails as with Node's client where the connection breaks before the answer is whole", async () => {
    const server = await countingServer((_, response) => {
      response.writeHead(200, { "Content-Length": 10 }).write("12345");
      setTimeout(() => response.socket?.destroy(), 5);
    });
    const message = "the connection was broken off before the answer was whole";
    await expect(connectionsTo(server).get(server.url, {}, NEVER)).rejects.toMatchObject({ message, lost: "broken" });
  });

  it("fails where nobody listens, and where somebody else answers", async () => {
    const nobody = new DirectConnections("https://127.0.0.1:1", SETTINGS);
    await expect(nobody.get("https://127.0.0.1:1/", {}, NEVER)).rejects.toMatchObject({ lost: "refused" });
    const { url } = await countingServer(echo);
    const stranger = new DirectConnections(url, { ...SETTINGS, secureContext: tls.createSecureContext({}) });
    await expect(stranger.get(url, {}, NEVER)).rejects.toMatchObject({ kind: "untrusted" });
    const named = new DirectConnections(url, { ...SETTINGS, servername: "else.example" });
    await expect(named.get(url, {}, NEVER)).rejects.toMatchObject({ kind: "untrusted" });
  });

  it("ends when it is called off, while it is sent and while it waits for its turn", async () => {
    const server = await countingServer(() => {});
    const connections = connectionsTo(server);
    const controllers = [1, 2, 3].map(() => new AbortController());
    const outcomes = controllers.map(({ signal }) => connections.get(server.url, {}, signal).catch(() => "called off"));
    await vi.waitFor(() => expect(server.asked).toHaveLength(2));
    for (const controller of controllers.toReversed()) controller.abort();
    expect(await Promise.all(outcomes)).toEqual(["called off", "called off", "called off"]);
    expect(server.asked).toHaveLength(2);
  });

  it("tells whoever listens of each request, and what came of it", async () => {
    const told: unknown[] = [];
    const listener = (message: unknown): void => {
      const { request, ...outcome } = message as DirectMessage;
      told.push({ path: request.path, ...outcome });
    };
    subscribe(DIRECT_REQUESTS, listener);
    onTestFinished(() => void unsubscribe(DIRECT_REQUESTS, listener));
    const server = await countingServer(echo);
    const connections = connectionsTo(server);
    await connections.get(`${server.url}/a?b`, {}, NEVER);
    await connections.get(`${server.url}/cd`, {}, NEVER);
    expect(told).toEqual([
      { path: "/a?b", stage: "sent" },
      { path: "/a?b", stage: "answered", status: 200, bytes: 4, isReused: false },
      { path: "/cd", stage: "sent" },
      { path: "/cd", stage: "answered", status: 200, bytes: 3, isReused: true },
    ]);
  });
});

describe("retire()", () => {
  it("closes idle connections at once, and others when they have brought their answer", async () => {
    const server = await countingServer(echo);
    const connections = connectionsTo(server);
    await Promise.all(["/a", "/b"].map((path) => connections.get(server.url + path, {}, NEVER)));
    const last = connections.get(`${server.url}/last`, {}, NEVER);
    connections.retire();
    expect((await last)?.text).toBe("/last");
    await vi.waitFor(() => expect(server.counts).toMatchObject({ made: 2, open: 0 }));
  });
});

describe("close()", () => {
  it("breaks off whatever is still being asked or waits for its turn", async () => {
    const server = await countingServer(() => {});
    const connections = connectionsTo(server);
    const outcomes = [1, 2, 3].map(() => connections.get(server.url, {}, NEVER).catch(({ lost }) => lost));
    await vi.waitFor(() => expect(server.asked).toHaveLength(2));
    connections.close();
    expect(await Promise.all(outcomes)).toEqual(["broken", "broken", "broken"]);
    await vi.waitFor(() => expect(server.counts).toMatchObject({ made: 2, open: 0 }));
  });
});
