import nock from "nock";
import { describe, expect, it } from "vitest";
import { type ConnectOptions, connect } from "../../src/cluster/api/connect.ts";
import type { Connection } from "../../src/cluster/connection/connection.ts";
import { apiServer, useFakeApiServer } from "../support/api-server.ts";
import { SERVER, writeDocument, writeKubeconfig } from "../support/kubeconfig.ts";
import { SERVER_CLOCK_MS } from "../support/raw-objects.ts";

useFakeApiServer();

function connection(options: Partial<ConnectOptions> = {}): Connection {
  return connect({ kubeconfig: writeKubeconfig(), env: {}, ...options });
}

describe("connect()", () => {
  it.each([
    { flag: undefined, namespace: "prod", why: "the context names this namespace" },
    { flag: "", namespace: "prod", why: "an empty flag is ignored" },
    { flag: "other", namespace: "other", why: "the flag wins" },
  ])("takes the namespace $namespace: $why", ({ flag, namespace }) => {
    expect(connection({ namespace: flag }).namespace).toBe(namespace);
  });

  it('takes the namespace "default" if neither flag nor context has one', () => {
    const kubeconfig = writeDocument({
      clusters: [{ name: "c", cluster: { server: SERVER } }],
      contexts: [{ name: "x", context: { cluster: "c" } }],
      "current-context": "x",
    });
    expect(connect({ kubeconfig, env: {} }).namespace).toBe("default");
  });
});

describe("get()", () => {
  it("gives the JSON and the server's clock", async () => {
    apiServer().get("/api?limit=1&continue=a%2Fb").reply(200, { items: [] });
    const answer = await connection().get("/api", { query: { limit: "1", continue: "a/b" } });
    expect(answer).toEqual({ body: { items: [] }, serverClockMs: SERVER_CLOCK_MS });
  });

  it("requests JSON by default, and sends the program's name as User-Agent", async () => {
    const scope = nock(SERVER, { reqheaders: { accept: "application/json", "user-agent": "kubectl-backoff" } });
    scope.get("/api").reply(200, {});
    nock(SERVER).get("/api").matchHeader("accept", "application/json;as=Table").reply(200, {});
    const { get } = connection();
    expect((await get("/api")).serverClockMs).toBeNull();
    await get("/api", { accept: "application/json;as=Table" });
  });

  it("fails with the first cause's message if all addresses of a host fail", async () => {
    const causes = [new Error("connect ECONNREFUSED ::1:80"), new Error("other")];
    apiServer().get("/api").replyWithError(new AggregateError(causes, ""));
    await expect(connection().get("/api")).rejects.toMatchObject({ message: "connect ECONNREFUSED ::1:80" });
  });

  it("fails as timeout after the connection's limit, or the request's own", async () => {
    apiServer().get("/api").twice().delay(2_000).reply(200, {});
    await expect(connection({ requestTimeoutMs: 50 }).get("/api")).rejects.toMatchObject({ kind: "timeout" });
    await expect(connection().get("/api", { timeoutMs: 50 })).rejects.toMatchObject({ kind: "timeout" });
  });
});

describe("the credentials of get()", () => {
  it.each([
    { user: { exec: { command: "no-such-plugin" } }, says: "the credential plugin no-such-plugin is not installed." },
    { user: { "client-certificate": "/none/me.crt", "client-key": "/none/me.key" }, says: "no such file or directory" },
  ])("fail with an error that the user can correct: $says", async ({ user, says }) => {
    const { get } = connection({ kubeconfig: writeKubeconfig({ server: SERVER }, user) });
    const error = expect.objectContaining({ code: "badCredentials", message: expect.stringContaining(says) });
    await expect(get("/api")).rejects.toEqual(error);
  });

  it("do not include a client-key without a certificate", async () => {
    nock(SERVER).get("/api").matchHeader("authorization", "Bearer t").reply(200, {});
    const user = { token: "t", "client-key": "/none/me.key" };
    await connection({ kubeconfig: writeKubeconfig({ server: SERVER }, user) }).get("/api");
  });

  it("may be none, and then no Authorization header is sent", async () => {
    nock(SERVER, { badheaders: ["authorization"] })
      .get("/api")
      .reply(200, {});
    await connection({ kubeconfig: writeKubeconfig({ server: SERVER }, {}) }).get("/api");
  });
});
