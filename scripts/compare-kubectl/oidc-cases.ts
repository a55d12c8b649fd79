import { readFileSync } from "node:fs";
import { FAR_SECONDS, idToken } from "../../lab/network/identity-provider.ts";
import type { Case } from "./cases.ts";
import type { Lab } from "./lab.ts";
import { CLIENT_ID, PROVIDER } from "./logins.ts";

const NOW_SECONDS = Math.floor(Date.now() / 1000);
const HOUR_SECONDS = 3_600;
const EXPIRED = idToken({ exp: NOW_SECONDS - HOUR_SECONDS });

export function oidcCases(lab: Lab): Case[] {
  const issuer = `${lab.url}${PROVIDER}`;
  const full = {
    ...{ "idp-issuer-url": issuer, "client-id": CLIENT_ID, "client-secret": "s/e+", "refresh-token": "r1'(é)" },
    ...{ "id-token": EXPIRED, "idp-certificate-authority": lab.ca },
  };
  const oidc = (why: string, config: object = {}, user: object = {}): Case => ({
    name: `oidc, ${why}`,
    user: { "auth-provider": { name: "oidc", config: { ...full, ...config } }, ...user },
  });
  const other = (name: string, config = {}): Case => ({
    name: `auth-provider ${name}`,
    user: { "auth-provider": { name, config } },
  });
  return [
    oidc("valid id-token", { "id-token": idToken({ exp: FAR_SECONDS }) }),
    oidc("valid id-token, and token", { "id-token": idToken({ exp: FAR_SECONDS }) }, { token: "t" }),
    oidc("expired id-token"),
    oidc("expired id-token, issuer with a slash at the end", { "idp-issuer-url": `${issuer}/` }),
    oidc("id-token without exp", { "id-token": idToken({ exp: undefined }) }),
    oidc("no id-token", { "id-token": "" }),
    oidc("no client-secret", { "client-secret": "" }),
    oidc("secret wanted in the body", { "idp-issuer-url": `${issuer}-body` }),
    oidc("secret wanted in the body, none", { "idp-issuer-url": `${issuer}-body`, "client-secret": "" }),
    oidc("idp-certificate-authority-data", {
      "idp-certificate-authority": "",
      "idp-certificate-authority-data": readFileSync(lab.ca, "base64"),
    }),
    oidc("no idp-certificate-authority", { "idp-certificate-authority": "" }),
    oidc("another's idp-certificate-authority", { "idp-certificate-authority": lab.file("alice.crt") }),
    oidc("refused", { "idp-issuer-url": `${issuer}-refuses` }),
    oidc("no id_token in the answer", { "idp-issuer-url": `${issuer}-other` }),
    oidc("no refresh-token", { "refresh-token": "" }),
    oidc("no idp-issuer-url", { "idp-issuer-url": "", "id-token": idToken({ exp: FAR_SECONDS }) }),
    oidc("no client-id", { "client-id": "", "id-token": idToken({ exp: FAR_SECONDS }) }),
    oidc("no client-id, and token", { "client-id": "" }, { token: "t" }),
    oidc("id-token is no JWT", { "id-token": "a.b" }),
    oidc("and exec", {}, { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "./plugin" } }),
    oidc("and client-certificate", {}, { "client-certificate": "bob.crt", "client-key": "bob.key" }),
    {
      ...oidc("HTTPS_PROXY", { "idp-issuer-url": "https://idp.example" }),
      env: { HTTPS_PROXY: lab.proxy },
    },
    other("gcp", { "access-token": "t" }),
    other("azure"),
    other("other"),
  ];
}
