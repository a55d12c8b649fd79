import { describe, expect, it } from "vitest";
import { identityProvider, json, jwt, type ProviderBehaviour, tokens } from "../support/identity-provider.ts";
import { oidc, oidcFailure, RENEWED } from "../support/oidc-cluster.ts";

describe("an identity provider", () => {
  const configuration = "/.well-known/openid-configuration";
  const endless = "x".repeat(2 ** 20 + 1);
  it.each([
    {
      what: "refuses",
      on: { "/token": (response) => json(response, { error: "invalid_grant", error_description: "r1" }, 400) },
      says: "the identity provider HOST does not renew the token (invalid_grant).",
    },
    {
      what: "refuses with what it was sent",
      on: { "/token": (response, { body }) => json(response, { error: body }, 400) },
      says: "the identity provider HOST does not renew the token (HTTP status 400).",
    },
    {
      what: "refuses with 200",
      on: { "/token": (response) => json(response, { error: "invalid_client" }) },
      says: "the identity provider HOST does not renew the token (invalid_client).",
    },
    {
      what: "knows the client in the header only",
      on: {
        "/token": (response, { headers }) =>
          json(response, { error: headers.authorization ? "invalid_grant" : "invalid_client" }, 400),
      },
      says: "the identity provider HOST does not renew the token (invalid_grant).",
    },
    {
      what: "answers garbage",
      on: { "/token": (response) => response.end(`{"id_token": "${RENEWED}"`) },
      says: "the answer of the identity provider HOST holds no tokens.",
    },
    {
      what: "gives no id_token",
      on: { "/token": (response) => json(response, { access_token: "a" }) },
      says: "the answer of the identity provider HOST holds no id_token; was there the scope openid at the login?",
    },
    {
      what: "gives something else as id_token",
      on: { "/token": (response) => json(response, tokens("opaque")) },
      says: "the id-token of the auth-provider oidc is no JWT with a time of expiry.",
    },
    {
      what: "hangs up",
      on: { "/token": (response) => response.destroy() },
      says: "the identity provider HOST cannot be reached (the connection was broken off before the answer was whole).",
    },
    {
      what: "hangs up half-way",
      on: {
        "/token": (response) => response.writeHead(200, { "Content-Length": 9 }).write("{", () => response.destroy()),
      },
      says: "the identity provider HOST cannot be reached (the connection was broken off before the answer was whole).",
    },
    {
      what: "does not stop",
      on: { "/token": (response) => response.end(endless) },
      says: "the answer of the identity provider HOST cannot be read: it is larger than 1 MiB.",
    },
    {
      what: "has no configuration",
      on: { [configuration]: (response) => response.writeHead(404).end("r1") },
      says: "the identity provider HOST answered 404 when asked for its openid-configuration.",
    },
    {
      what: "has a configuration that is none",
      on: { [configuration]: (response) => response.end("<html>") },
      says: "the openid-configuration of the identity provider HOST names no token_endpoint.",
    },
    {
      what: "wants secrets over plain http",
      on: { [configuration]: (response) => json(response, { token_endpoint: "http://127.0.0.1:1/token" }) },
      says: "the token_endpoint of the identity provider HOST is plain http, where no secrets are sent.",
    },
    {
      what: "wants secrets in a file",
      on: { [configuration]: (response) => json(response, { token_endpoint: "file:///token" }) },
      says: "the token_endpoint of the identity provider HOST is no http or https address.",
    },
    {
      what: "sends to plain http",
      on: { [configuration]: (response) => response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end() },
      says: "the identity provider HOST sends to HOST, which is not followed.",
    },
    {
      what: "sends in circles",
      on: { [configuration]: (response) => response.writeHead(302, { Location: configuration }).end() },
      says: "the identity provider HOST sends from one address to the next, and to no end.",
    },
  ] satisfies { what: string; on: NonNullable<ProviderBehaviour["on"]>; says: string }[])(
    "that $what is named, without secrets",
    async ({ on, says }) => {
      expect(await oidcFailure(oidc(await identityProvider({ on })))).toBe(says);
    },
  );

  it.each([
    { issuer: "https://me:s/ecret@127.0.0.1:1", says: "the idp-issuer-url is no http or https address." },
    {
      issuer: "https://me:r1@127.0.0.1:1",
      says: "the identity provider HOST cannot be reached (connect ECONNREFUSED HOST).",
    },
    { issuer: "r1", says: "the idp-issuer-url is no http or https address." },
  ])("that is nowhere is named, without the login in its address ($issuer)", async ({ issuer, says }) => {
    expect(await oidcFailure(oidc({ url: issuer }))).toBe(says);
  });
});

describe("what kubectl does not take either", () => {
  const nobody = { url: "https://127.0.0.1:1" };
  it.each([
    {
      config: { "refresh-token": "" },
      says: "the id-token has expired, and no refresh-token to get another.",
    },
    {
      config: { "refresh-token": undefined, "id-token": undefined },
      says: "there is no id-token, and no refresh-token to get another.",
    },
    { config: { "idp-issuer-url": "" }, says: "the auth-provider oidc has no idp-issuer-url." },
    { config: { "client-id": undefined, "id-token": RENEWED }, says: "the auth-provider oidc has no client-id." },
    { config: { "id-token": "a.b" }, says: "the id-token of the auth-provider oidc is no JWT with a time of expiry." },
    {
      config: { "id-token": jwt("soon") },
      says: "the id-token of the auth-provider oidc is no JWT with a time of expiry.",
    },
  ])("is $config", async ({ config, says }) => {
    expect(await oidcFailure(oidc(nobody, config))).toBe(says);
  });

  const removed = (name: string, plugin: string): string =>
    `the auth-provider ${name} is gone since Kubernetes 1.26; use the credential plugin ${plugin}.`;
  it.each([
    { provider: { name: "gcp", config: { "access-token": "t" } }, says: removed("gcp", "gke-gcloud-auth-plugin") },
    { provider: { name: "azure" }, says: removed("azure", "kubelogin") },
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
