import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { identityProvider } from "../support/identity-provider.ts";
import { oidc, oidcCluster, oidcFailure, RENEWED, TRUSTED } from "../support/oidc-cluster.ts";
import { proxyServer } from "../support/proxy-server.ts";
import { tlsFile } from "../support/tls-fixtures.ts";

describe("an identity provider", () => {
  it.each([
    { how: "in a file", authority: { "idp-certificate-authority": tlsFile("cert.pem") } },
    { how: "in the kubeconfig, before a file", authority: { ...TRUSTED, "idp-certificate-authority": "/none" } },
  ])("is verified with its own authority $how", async ({ authority }) => {
    const none = { "idp-certificate-authority-data": undefined };
    const { get, bearers } = await oidcCluster(oidc(await identityProvider(), { ...none, ...authority }));
    await get();
    expect(bearers).toEqual([RENEWED]);
  });

  it.each([
    { authority: undefined, says: "cannot verify who the identity provider HOST is (self-signed certificate)." },
    {
      authority: tlsFile("alice.pem"),
      says: "cannot verify who the identity provider HOST is (self-signed certificate).",
    },
    {
      authority: tlsFile("README.md"),
      says: "cannot verify who the identity provider HOST is (self-signed certificate).",
    },
    {
      authority: "/none/ca.pem",
      says: "the file that idp-certificate-authority names cannot be read (no such file or directory).",
    },
  ])("is not asked for tokens with the authority $authority", async ({ authority, says }) => {
    const provider = await identityProvider();
    const config = { "idp-certificate-authority-data": undefined, "idp-certificate-authority": authority };
    expect(await oidcFailure(oidc(provider, config))).toBe(says);
    expect(provider.asked).toEqual([]);
  });

  it("has to have the name that it is asked by", async () => {
    const provider = await identityProvider({ certificate: "other-name.pem" });
    const trusted = { "idp-certificate-authority-data": readFileSync(tlsFile("other-name.pem"), "base64") };
    expect(await oidcFailure(oidc(provider, trusted))).toMatch(/^cannot verify who the identity provider HOST is/);
    expect(provider.asked).toEqual([]);
  });

  it("is reached through the proxy of the environment", async () => {
    const provider = await identityProvider({ certificate: "other-name.pem", endpoint: "https://other.example/token" });
    const proxy = await proxyServer(provider.url);
    const config = {
      "idp-issuer-url": "https://other.example/",
      "idp-certificate-authority-data": readFileSync(tlsFile("other-name.pem"), "base64"),
    };
    const env = { HTTPS_PROXY: proxy.address };
    const { get, bearers } = await oidcCluster(oidc(provider, config), { options: { env } });
    await get();
    expect(bearers).toEqual([RENEWED]);
    expect(proxy.asked).toEqual(["other.example:443", "other.example:443"]);
  });

  it("is not reached through the proxy of the cluster", async () => {
    const provider = await identityProvider();
    const { get } = await oidcCluster(oidc(provider), { cluster: { "proxy-url": "http://127.0.0.1:1" } });
    await expect(get()).rejects.toMatchObject({ kind: "unreachable" });
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it("is not followed to another address with secrets", async () => {
    const thief = await identityProvider();
    const on = {
      "/token": (response: ServerResponse) => response.writeHead(307, { Location: `${thief.url}/token` }).end(),
    };
    expect(await oidcFailure(oidc(await identityProvider({ on })))).toBe(
      "the identity provider HOST does not renew the token (HTTP status 307).",
    );
    expect(thief.asked).toEqual([]);
  });

  it("that does not answer is given up after --request-timeout, and the request is broken off", async () => {
    const provider = await identityProvider({ on: { "/token": () => {} } });
    expect(await oidcFailure(oidc(provider), { options: { requestTimeoutMs: 300 } })).toBe(
      "there are none after 0.3s.",
    );
    await expect.poll(() => provider.brokenOff()).toBe(1);
  });
});
