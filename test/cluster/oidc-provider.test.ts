import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { ISSUER, identityProvider, json, jwt, type ProviderBehaviour } from "../support/identity-provider.ts";
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

describe("an identity provider", () => {
  const configuration = "/.well-known/openid-configuration";
  const endless = "x".repeat(2 ** 20 + 1);
  const answering = (body: object, status = 400): NonNullable<ProviderBehaviour["on"]> => ({
    "/token": (response) => json(response, body, status),
  });
  it.each([
    {
      what: "refuses",
      on: answering({ error: "invalid_grant", error_description: "r1" }),
      says: "does not renew the token (invalid_grant).",
    },
    {
      what: "knows the client in the header only",
      on: {
        "/token": (response, { headers }) =>
          json(response, { error: headers.authorization ? "invalid_grant" : "invalid_client" }, 400),
      },
      says: "does not renew the token (invalid_grant).",
    },
    {
      what: "answers without a body",
      on: { "/token": (response) => response.writeHead(204).end() },
      says: "does not renew the token (HTTP status 204).",
    },
    {
      what: "gives no id_token",
      on: answering({ access_token: "a", token_type: "bearer" }, 200),
      says: "gave no id_token; was there the scope openid at the login?",
    },
    {
      what: "hangs up half-way",
      on: {
        "/token": (response) => response.writeHead(200, { "Content-Length": 9 }).write("{", () => response.destroy()),
      },
      says: "cannot be reached (the connection was broken off before the answer was whole).",
    },
    {
      what: "does not stop",
      on: { "/token": (response) => response.end(endless) },
      says: "cannot be read: it is larger than 1 MiB.",
    },
    {
      what: "has no configuration",
      on: { [configuration]: (response) => response.writeHead(404).end("r1") },
      says: "does not renew the token (HTTP status 404).",
    },
    {
      what: "has a configuration that is none",
      on: { [configuration]: (response) => response.end("<html>") },
      says: "cannot be used (parsing error occured).",
    },
    {
      what: "wants secrets over plain http",
      on: {
        [configuration]: (response) => json(response, { issuer: ISSUER, token_endpoint: "http://127.0.0.1:1/token" }),
      },
      says: "cannot be used (only requests to HTTPS are allowed).",
    },
    {
      what: "sends elsewhere",
      on: { [configuration]: (response) => response.writeHead(302, { Location: "https://127.0.0.1:1/" }).end() },
      says: "does not renew the token (HTTP status 302).",
    },
  ] satisfies { what: string; on: NonNullable<ProviderBehaviour["on"]>; says: string }[])(
    "that $what is named, without secrets",
    async ({ on, says }) => {
      expect(await oidcFailure(oidc(await identityProvider({ on })))).toMatch(new RegExp(`${escaped(says)}$`));
    },
  );

  it.each([
    { issuer: "https://me:s/ecret@127.0.0.1:1", says: "the idp-issuer-url is no http or https address." },
    {
      issuer: "https://me:r1@127.0.0.1:1",
      says: "the identity provider HOST cannot be reached (connect ECONNREFUSED HOST).",
    },
  ])("that is nowhere is named, without the login in its address ($issuer)", async ({ issuer, says }) => {
    expect(await oidcFailure(oidc({ url: issuer }))).toBe(says);
  });
});

const NO_TOKEN = "the auth-provider oidc has no valid id-token, and no refresh-token to get another.";

describe("what kubectl does not take either", () => {
  const nobody = { url: "https://127.0.0.1:1" };
  it.each([
    { config: { "refresh-token": undefined, "id-token": undefined }, says: NO_TOKEN },
    { config: { "idp-issuer-url": "" }, says: "the auth-provider oidc has no idp-issuer-url." },
    { config: { "client-id": undefined, "id-token": RENEWED }, says: "the auth-provider oidc has no client-id." },
    {
      config: { "id-token": jwt("soon") },
      says: "the id-token of the auth-provider oidc is no JWT with a time of expiry.",
    },
  ])("is $config", async ({ config, says }) => {
    expect(await oidcFailure(oidc(nobody, config))).toBe(says);
  });

  const REMOVED = "the auth-provider azure is gone since Kubernetes 1.26; use the credential plugin kubelogin.";
  it.each([
    { provider: { name: "azure" }, says: REMOVED },
    { provider: { name: "other" }, says: 'there is no auth-provider "other", only oidc.' },
    { provider: { name: "constructor" }, says: 'there is no auth-provider "constructor", only oidc.' },
    { provider: {}, says: 'there is no auth-provider "", only oidc.' },
    { provider: { name: "oidc" }, says: "the auth-provider oidc has no idp-issuer-url." },
  ])("is the auth-provider $provider, also beside a token", async ({ provider, says }) => {
    expect(await oidcFailure(provider)).toBe(says);
    expect(await oidcFailure(provider, { user: { token: "t" } })).toBe(says);
  });

  it("is an auth-provider beside a plugin", async () => {
    const says = "there is a credential plugin (exec) and also an auth-provider.";
    expect(await oidcFailure(oidc(nobody), { user: { exec: { command: "none" } } })).toBe(says);
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.()?]/g, "\\$&");
}
