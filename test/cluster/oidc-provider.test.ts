import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { oidc, oidcCluster, oidcFailure, RENEWED, TRUSTED } from "../support/oidc-cluster.ts";
import { ISSUER, identityProvider, json, jwt, type ProviderBehaviour } from "../support/provider-for-test.ts";
import { proxyServer } from "../support/proxy-server.ts";
import { tlsFile } from "../support/tls-fixtures.ts";

type Answer = NonNullable<ProviderBehaviour["on"]>[string];

describe("an identity provider", () => {
  it.each([
    { how: "in a file", authority: { "idp-certificate-authority": tlsFile("cert.pem") } },
    {
      how: "in the kubeconfig, which comes before a file",
      authority: { ...TRUSTED, "idp-certificate-authority": "/none" },
    },
  ])("is verified with its own authority $how", async ({ authority }) => {
    const none = { "idp-certificate-authority-data": undefined };
    const { get, bearers } = await oidcCluster(oidc(await identityProvider(), { ...none, ...authority }));
    await get();
    expect(bearers).toEqual([RENEWED]);
  });

  const unverified = "cannot verify who the identity provider HOST is (self-signed certificate).";
  const unreadable = "the file that idp-certificate-authority names cannot be read (no such file or directory).";
  const NULL_BYTE = "The argument 'path' must be a string, Uint8Array, or URL without null bytes";
  it.each([
    [undefined, unverified],
    [tlsFile("alice.pem"), unverified],
    [tlsFile("README.md"), unverified],
    ["/none/ca.pem", unreadable],
    ["secret\0", unreadable.replace("no such file or directory", NULL_BYTE)],
  ])("gets no request if it cannot be verified with the authority %s", async (authority, says) => {
    const provider = await identityProvider();
    const config = { "idp-certificate-authority-data": undefined, "idp-certificate-authority": authority };
    expect(await oidcFailure(oidc(provider, config))).toBe(says);
    expect(provider.asked).toEqual([]);
  });

  it("must have a certificate for the name in its address", async () => {
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

  it("cannot redirect the request for tokens, which has secrets, to another address", async () => {
    const thief = await identityProvider();
    const redirect: Answer = (response) => response.writeHead(307, { Location: `${thief.url}/token` }).end();
    const says = "the identity provider HOST does not renew the token (HTTP status 307).";
    expect(await oidcFailure(oidc(await identityProvider({ on: { "/token": redirect } })))).toBe(says);
    expect(thief.asked).toEqual([]);
  });

  it("that does not answer is given up after --request-timeout, and the request is broken off", async () => {
    const provider = await identityProvider({ on: { "/token": () => {} } });
    const failure = await oidcFailure(oidc(provider), { options: { requestTimeoutMs: 300 } });
    expect(failure).toBe("there are none after 0.3s.");
    await expect.poll(() => provider.brokenOff()).toBe(1);
  });
});

describe("an identity provider", () => {
  const plain = { issuer: ISSUER, token_endpoint: "http://127.0.0.1:1/token" };
  const elsewhere = { Location: "https://127.0.0.1:1/" };
  const refused: Answer = (to) => json(to, { error: "invalid_grant", error_description: "r1" }, 400);
  const refusedInHeader: Answer = (to, { headers }) =>
    json(to, { error: headers.authorization ? "invalid_grant" : "invalid_client" }, 400);
  const broken: Answer = (to) => to.writeHead(200, { "Content-Length": 9 }).write("{", () => to.destroy());
  const without: Answer = (to) => json(to, { access_token: "a", token_type: "bearer" });

  it.each<[string, Answer, string]>([
    ["rejects the refresh token", refused, "does not renew the token (invalid_grant)."],
    ["accepts the client only in the header", refusedInHeader, "does not renew the token (invalid_grant)."],
    ["answers without a body", (to) => to.writeHead(204).end(), "does not renew the token (HTTP status 204)."],
    ["gives no id_token", without, "gave no id_token; was there the scope openid at the login?"],
    [
      "closes the connection in the middle of its answer",
      broken,
      "cannot be reached (the connection was broken off before the answer was whole).",
    ],
    ["sends more than 1 MiB", (to) => to.end("x".repeat(2 ** 20 + 1)), "cannot be read: it is larger than 1 MiB."],
  ])("that %s causes an error without secrets", async (_, answer, says) => {
    const provider = await identityProvider({ on: { "/token": answer } });
    expect(await oidcFailure(oidc(provider))).toContain(says);
  });

  it.each<[string, Answer, string]>([
    ["does not exist", (to) => to.writeHead(404).end("r1"), "does not renew the token (HTTP status 404)."],
    ["cannot be read", (to) => to.end("<html>"), "cannot be used (parsing error occured)."],
    ["wants secrets over plain http", (to) => json(to, plain), "cannot be used (only requests to HTTPS are allowed)."],
    ["is a redirect", (to) => to.writeHead(302, elsewhere).end(), "does not renew the token (HTTP status 302)."],
  ])("whose configuration %s causes an error without secrets", async (_, answer, says) => {
    const provider = await identityProvider({ on: { "/.well-known/openid-configuration": answer } });
    expect(await oidcFailure(oidc(provider))).toContain(says);
  });

  it.each([
    ["https://me:s/ecret@127.0.0.1:1", "the idp-issuer-url is no http or https address."],
    ["https://me:r1@127.0.0.1:1", "the identity provider HOST cannot be reached (connect ECONNREFUSED HOST)."],
  ])("with a login in its address causes an error that does not show it (%s)", async (url, says) => {
    expect(await oidcFailure(oidc({ url }))).toBe(says);
  });
});

const NO_TOKEN = "the auth-provider oidc has no valid id-token, and no refresh-token to get another.";

describe("a user of the kubeconfig that kubectl rejects too", () => {
  const nobody = { url: "https://127.0.0.1:1" };
  it.each([
    { config: { "refresh-token": undefined, "id-token": undefined }, says: NO_TOKEN },
    { config: { "idp-issuer-url": "" }, says: "the auth-provider oidc has no idp-issuer-url." },
    { config: { "client-id": undefined, "id-token": RENEWED }, says: "the auth-provider oidc has no client-id." },
    {
      config: { "id-token": jwt("soon") },
      says: "the id-token of the auth-provider oidc is no JWT with a time of expiry.",
    },
  ])("has the settings $config of oidc", async ({ config, says }) => {
    expect(await oidcFailure(oidc(nobody, config))).toBe(says);
  });

  const REMOVED = "the auth-provider azure is gone since Kubernetes 1.26; use the credential plugin kubelogin.";
  it.each([
    { provider: { name: "azure" }, says: REMOVED },
    { provider: { name: "other" }, says: 'there is no auth-provider "other", only oidc.' },
    { provider: { name: "constructor" }, says: 'there is no auth-provider "constructor", only oidc.' },
    { provider: {}, says: 'there is no auth-provider "", only oidc.' },
    { provider: { name: "oidc" }, says: "the auth-provider oidc has no idp-issuer-url." },
  ])("has the auth-provider $provider, even with a token of its own", async ({ provider, says }) => {
    expect(await oidcFailure(provider)).toBe(says);
    expect(await oidcFailure(provider, { user: { token: "t" } })).toBe(says);
  });

  it("has both an auth-provider and a credential plugin", async () => {
    const says = "there is a credential plugin (exec) and also an auth-provider.";
    expect(await oidcFailure(oidc(nobody), { user: { exec: { command: "none" } } })).toBe(says);
  });
});
