import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { environmentProxy } from "../../src/cluster/connection/proxy-choice.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { proxyServer, socksServer } from "../support/proxy-server.ts";
import { tinyServer } from "../support/tiny-server.ts";
import { SERVER_TLS } from "../support/tls-fixtures.ts";

const CA = { "certificate-authority-data": SERVER_TLS.cert.toString("base64") };

describe("get() from a TLS server", () => {
  const ANSWER = { body: { is: "here" } };
  const listen = () => tinyServer((_, response) => response.end(JSON.stringify(ANSWER.body)), { tls: true });
  const ask = (cluster: object) => connect({ kubeconfig: writeKubeconfig(cluster), env: {} }).get("/a");

  it("makes one connection for requests that follow one another", async () => {
    const { url, connections, asked } = await listen();
    const { get } = connect({ kubeconfig: writeKubeconfig({ server: url, ...CA }), env: {} });
    const paths = ["/a", "/b", "/c", "/d", "/e"];
    for (const path of paths) await get(path);
    expect(asked).toEqual(paths);
    expect(connections.made).toBe(1);
  });

  it("verifies the name that tls-server-name says instead of the address", async () => {
    const cluster = { server: (await listen()).url, ...CA };
    expect(await ask({ ...cluster, "tls-server-name": "localhost" })).toMatchObject(ANSWER);
    const message = expect.stringContaining("other.example");
    const asked = ask({ ...cluster, "tls-server-name": "other.example" });
    await expect(asked).rejects.toMatchObject({ kind: "untrusted", message });
  });

  it("verifies an IP address in tls-server-name, and does not send it as the server's name (SNI)", async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const cluster = { server: (await listen()).url.replace("127.0.0.1", "localhost"), ...CA };
    expect(await ask({ ...cluster, "tls-server-name": "127.0.0.1" })).toMatchObject(ANSWER);
    const message = expect.stringContaining("127.0.0.2");
    await expect(ask({ ...cluster, "tls-server-name": "127.0.0.2" })).rejects.toMatchObject({ message });
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
  });
});

const FAR = "https://api.cluster.example:6443";
const trusted = { server: FAR, ...CA, "tls-server-name": "localhost" };

async function farServer() {
  const seen: (string | undefined)[] = [];
  const { url } = await tinyServer(
    ({ headers }, response) => {
      seen.push(headers.authorization);
      response.end('{"far":true}');
    },
    { tls: true },
  );
  return { seen, url };
}

async function lab() {
  const { seen, url } = await farServer();
  return { seen, proxy: await proxyServer(url) };
}

describe("get() through a proxy", () => {
  it.each(["of the kubeconfig", "of the environment"])(
    "%s verifies the server behind the proxy, and sends secrets only to that server",
    async (whose) => {
      const { seen, proxy } = await lab();
      const isOwn = whose === "of the kubeconfig";
      const kubeconfig = writeKubeconfig({
        ...trusted,
        ...(isOwn && { "proxy-url": `http://me:p%40w@${proxy.address}` }),
      });
      const env = isOwn ? {} : { HTTPS_PROXY: proxy.address };
      const connection = connect({ kubeconfig, env });
      expect((await connection.get("/a")).body).toEqual({ far: true });
      expect((await connection.get("/b")).body).toEqual({ far: true });
      connection.close();
      expect(proxy.asked).toEqual([
        `api.cluster.example:6443${isOwn ? ` Basic ${Buffer.from("me:p@w").toString("base64")}` : ""}`,
      ]);
      expect(seen).toEqual(["Bearer secret", "Bearer secret"]);
    },
  );

  it("sends nothing to a server behind the proxy whose certificate has another name", async () => {
    const { seen, proxy } = await lab();
    const kubeconfig = writeKubeconfig({ ...trusted, "tls-server-name": "other.example" });
    const { get } = connect({ kubeconfig, env: { HTTPS_PROXY: proxy.address } });
    await expect(get("/a")).rejects.toMatchObject({ kind: "untrusted" });
    expect(seen).toEqual([]);
  });

  it("goes through a socks5 proxy, too, and verifies the server behind it", async () => {
    const { seen, url } = await farServer();
    const proxy = await socksServer(url);
    const ask = (name: string) => {
      const kubeconfig = writeKubeconfig({ ...trusted, "tls-server-name": name, "proxy-url": proxy });
      return connect({ kubeconfig, env: {} }).get("/a");
    };
    expect((await ask("localhost")).body).toEqual({ far: true });
    await expect(ask("other.example")).rejects.toMatchObject({ kind: "untrusted" });
    expect(seen).toEqual(["Bearer secret"]);
  });

  it("reports an invalid proxy", async () => {
    const kubeconfig = writeKubeconfig({ ...trusted, "proxy-url": "ftp://proxy.example" });
    await expect(connect({ kubeconfig, env: {} }).get("/a")).rejects.toMatchObject({ code: "badProxy" });
  });
});

const PROXY = "http://proxy.example:3128";
const SERVER = "https://api.cluster.example:6443";
const ADDRESS = "https://192.0.2.10:6443";

describe("environmentProxy()", () => {
  it.each([
    { server: SERVER, env: {}, proxy: null, why: "no proxy is set" },
    { server: SERVER, env: { HTTPS_PROXY: PROXY }, proxy: PROXY, why: "HTTPS_PROXY is for https" },
    { server: SERVER, env: { https_proxy: PROXY }, proxy: PROXY, why: "the variable may be in lower case" },
    {
      server: SERVER,
      env: { HTTPS_PROXY: PROXY, https_proxy: "http://b" },
      proxy: PROXY,
      why: "the variable in upper case wins",
    },
    { server: SERVER, env: { HTTPS_PROXY: "", https_proxy: PROXY }, proxy: PROXY, why: "an empty variable is ignored" },
    { server: SERVER, env: { HTTP_PROXY: PROXY }, proxy: null, why: "HTTP_PROXY is not for https" },
    { server: "http://a.example", env: { HTTP_PROXY: PROXY }, proxy: PROXY, why: "HTTP_PROXY is for http" },
    { server: "http://a.example", env: { HTTPS_PROXY: PROXY }, proxy: null, why: "HTTPS_PROXY is not for http" },
    {
      server: SERVER,
      env: { HTTPS_PROXY: "proxy.example:3128" },
      proxy: PROXY,
      why: "a proxy without a scheme is an http proxy",
    },
    {
      server: "https://localhost:6443",
      env: { HTTPS_PROXY: PROXY },
      proxy: null,
      why: "the server is on this machine",
    },
    {
      server: "https://127.9.9.9:6443",
      env: { HTTPS_PROXY: PROXY },
      proxy: null,
      why: "the server is on this machine",
    },
    { server: "https://[::1]:6443", env: { HTTPS_PROXY: PROXY }, proxy: null, why: "the server is on this machine" },
    {
      server: SERVER,
      env: { HTTPS_PROXY: PROXY, no_proxy: "example" },
      proxy: null,
      why: "no_proxy excepts the server",
    },
  ])("is $proxy for $server with $env: $why", ({ server, env, proxy }) => {
    expect(environmentProxy(server, env)).toBe(proxy);
  });

  it.each([
    { noProxy: "cluster.example", server: SERVER, excepted: true, why: "a name includes its subdomains" },
    { noProxy: "API.cluster.example", server: SERVER, excepted: true, why: "upper and lower case are the same" },
    { noProxy: ".cluster.example", server: SERVER, excepted: true, why: "the server is a subdomain" },
    { noProxy: "*.cluster.example", server: SERVER, excepted: true, why: "the server is a subdomain" },
    {
      noProxy: ".api.cluster.example",
      server: SERVER,
      excepted: false,
      why: "a name after a dot includes only subdomains",
    },
    { noProxy: "luster.example", server: SERVER, excepted: false, why: "a part of a label is no match" },
    { noProxy: "example:6443", server: SERVER, excepted: true, why: "the port is the same" },
    { noProxy: "example:443", server: SERVER, excepted: false, why: "the port is another" },
    { noProxy: "example:443", server: "https://a.example", excepted: true, why: "the port of https is 443" },
    { noProxy: "a, *", server: SERVER, excepted: true, why: "* matches every server" },
    { noProxy: ",:80,", server: SERVER, excepted: false, why: "a port without a name matches nothing" },
    { noProxy: "192.0.2.0/24", server: ADDRESS, excepted: true, why: "the address is in the range" },
    { noProxy: "192.0.3.0/24", server: ADDRESS, excepted: false, why: "the address is not in the range" },
    { noProxy: "192.0.2.0/99", server: ADDRESS, excepted: false, why: "the range is invalid" },
    { noProxy: "192.0.2.10", server: ADDRESS, excepted: true, why: "the address is the same" },
    { noProxy: "192.0.2.10:443", server: ADDRESS, excepted: false, why: "the port is another" },
    { noProxy: "2.10", server: ADDRESS, excepted: false, why: "the end of an address is no match" },
    {
      noProxy: "2001:db8::/32",
      server: "https://[2001:db8::1]:6443",
      excepted: true,
      why: "the address is in the range",
    },
    {
      noProxy: "[2001:db8::1]:6443",
      server: "https://[2001:db8::1]:6443",
      excepted: true,
      why: "address and port are the same",
    },
    { noProxy: "2001:db8::2", server: "https://[2001:db8::1]:6443", excepted: false, why: "the address is another" },
  ])("is null for $server with NO_PROXY=$noProxy: $excepted, because $why", ({ noProxy, server, excepted }) => {
    expect(environmentProxy(server, { HTTPS_PROXY: PROXY, NO_PROXY: noProxy })).toBe(excepted ? null : PROXY);
  });
});
