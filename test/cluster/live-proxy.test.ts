import { describe, expect, it } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { proxyServer } from "../support/proxy-server.ts";
import { socksServer } from "../support/socks-server.ts";
import { SERVER_TLS, tinyServer } from "../support/tiny-server.ts";

const FAR = "https://api.cluster.example:6443";
const trusted = {
  server: FAR,
  "certificate-authority-data": SERVER_TLS.cert.toString("base64"),
  "tls-server-name": "localhost",
};

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
    "%s verifies the server behind it, and sends secrets only there",
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
      // One tunnel for both.
      expect(proxy.asked).toEqual([
        `api.cluster.example:6443${isOwn ? ` Basic ${Buffer.from("me:p@w").toString("base64")}` : ""}`,
      ]);
      expect(seen).toEqual(["Bearer secret", "Bearer secret"]);
    },
  );

  it("does not talk to a server behind it that has another name", async () => {
    const { seen, proxy } = await lab();
    const kubeconfig = writeKubeconfig({ ...trusted, "tls-server-name": "other.example" });
    const { get } = connect({ kubeconfig, env: { HTTPS_PROXY: proxy.address } });
    await expect(get("/a")).rejects.toMatchObject({ kind: "untrusted" });
    expect(seen).toEqual([]);
  });

  it("goes through a socks5 proxy too, and verifies the server behind it", async () => {
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

  it("names a proxy that is none", async () => {
    const kubeconfig = writeKubeconfig({ ...trusted, "proxy-url": "ftp://proxy.example" });
    await expect(connect({ kubeconfig, env: {} }).get("/a")).rejects.toMatchObject({ code: "badProxy" });
  });
});
