import { createServer } from "node:https";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { listenForTest } from "../support/listen-for-test.ts";
import { SERVER_TLS } from "../support/tls-fixtures.ts";

describe("get() from a TLS server", () => {
  let connections: number;

  async function listen(): Promise<string> {
    connections = 0;
    const server = createServer(SERVER_TLS, (request, response) => {
      response.end(JSON.stringify({ path: request.url, method: request.method }));
    });
    server.on("secureConnection", () => connections++);
    return `https://${await listenForTest(server)}`;
  }

  const trusted = { "certificate-authority-data": SERVER_TLS.cert.toString("base64") };

  it("makes one connection for requests that follow one another", async () => {
    const { get } = connect({ kubeconfig: writeKubeconfig({ server: await listen(), ...trusted }), env: {} });
    for (const path of ["/a", "/b", "/c", "/d", "/e"]) {
      expect((await get(path)).body).toEqual({ path, method: "GET" });
    }
    expect(connections).toBe(1);
  });

  it("makes no more connections than there are requests at once, and ten at most", async () => {
    const { get } = connect({ kubeconfig: writeKubeconfig({ server: await listen(), ...trusted }), env: {} });
    await Promise.all([get("/a"), get("/b")]);
    await Promise.all([get("/c"), get("/d")]);
    expect(connections).toBe(2);
    await Promise.all(Array.from({ length: 25 }, () => get("/e")));
    expect(connections).toBe(10);
  });

  it("verifies the server whatever NODE_TLS_REJECT_UNAUTHORIZED says, as kubectl does", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { get } = connect({ kubeconfig: writeKubeconfig({ server: await listen() }), env: {} });
    await expect(get("/a")).rejects.toMatchObject({ kind: "untrusted" });
  });

  it("verifies the name that tls-server-name says instead of the address", async () => {
    const address = await listen();
    const ask = (name: string) =>
      connect({ kubeconfig: writeKubeconfig({ server: address, ...trusted, "tls-server-name": name }), env: {} }).get(
        "/a",
      );
    expect((await ask("localhost")).body).toEqual({ path: "/a", method: "GET" });
    await expect(ask("other.example")).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining("other.example"),
    });
  });

  it("verifies an address that tls-server-name says, and sends none", async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const server = (await listen()).replace("127.0.0.1", "localhost");
    const ask = (name: string) =>
      connect({ kubeconfig: writeKubeconfig({ server, ...trusted, "tls-server-name": name }), env: {} }).get("/a");
    expect((await ask("127.0.0.1")).body).toEqual({ path: "/a", method: "GET" });
    await expect(ask("127.0.0.2")).rejects.toMatchObject({ message: expect.stringContaining("127.0.0.2") });
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
  });
});
