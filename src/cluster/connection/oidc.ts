import http from "node:http";
import https from "node:https";
import * as client from "openid-client";
import { UserError } from "../../errors.ts";
import { at, fieldsOf, isObject, type JsonObject, oneOf, parsedJson, textOf } from "../objects/json-access.ts";
import { type Credential, clientOptions, contentOf } from "./client-config.ts";
import { bytesOf } from "./http.ts";
import type { ChosenContext } from "./kubeconfig.ts";
import { connectionFailure, RequestFailure } from "./request-failure.ts";

type Tokens = Readonly<Record<"idToken" | "refreshToken", string | null>>;

/** The newest tokens, because a provider may accept each refresh token only once. */
const renewed = new WeakMap<ChosenContext, Tokens>();

/**
 * Mirrors `expiryDelta` (client-go v0.37.1, plugin/pkg/client/auth/oidc/oidc.go): a token counts as expired early,
 * because clocks can differ.
 */
const EXPIRY_DELTA_MS = 10_000;

/**
 * See `GetAuthProvider`, `newOIDCAuthProvider` and `validateAuthInfo` (client-go v0.37.1, rest/plugin.go,
 * plugin/pkg/client/auth/oidc/oidc.go and tools/clientcmd/validation.go).
 */
export function requireUsableProvider(user: JsonObject): void {
  const provider = user["auth-provider"];
  if (isObject(user["exec"])) throw new Error("there is a credential plugin (exec) and also an auth-provider");
  const name = textOf(at(provider, "name")) ?? "";
  const instead = name === "gcp" ? "gke-gcloud-auth-plugin" : name === "azure" ? "kubelogin" : null;
  if (instead !== null)
    throw new Error(`the auth-provider ${name} is gone since Kubernetes 1.26; use the credential plugin ${instead}`);
  if (name !== "oidc") throw new Error(`there is no auth-provider ${JSON.stringify(name)}, only oidc`);
  for (const field of ["idp-issuer-url", "client-id"])
    if (textOf(at(provider, "config", field)) === null) throw new Error(`the auth-provider oidc has no ${field}`);
}

/**
 * See `idToken` (client-go v0.37.1, plugin/pkg/client/auth/oidc/oidc.go). Unlike client-go, writes no new tokens into
 * the kubeconfig.
 */
export async function idTokenOf(context: ChosenContext, nowMs: number, signal: AbortSignal): Promise<Credential> {
  const config = fieldsOf(at(context.user["auth-provider"], "config"));
  const own = renewed.get(context) ?? {
    idToken: textOf(config["id-token"]),
    refreshToken: textOf(config["refresh-token"]),
  };
  const endsAtMs = own.idToken === null ? 0 : usableUntilMs(own.idToken);
  if (own.idToken !== null && nowMs < endsAtMs) return { token: own.idToken, expiresAtMs: endsAtMs };
  if (own.refreshToken === null)
    throw new Error("the auth-provider oidc has no valid id-token, and no refresh-token to get another");
  const fetch = fetchThrough(context, contentOf(config, "idp-certificate-authority"), signal);
  const { idToken, refreshToken } = await refreshedTokens(config, own.refreshToken, fetch);
  if (idToken === null)
    throw new Error("the identity provider gave no id_token; was there the scope openid at the login?");
  renewed.set(context, { idToken, refreshToken: refreshToken ?? own.refreshToken });
  const freshUntilMs = usableUntilMs(idToken);
  // Assumed: if a new token has expired by the local clock, that clock is wrong.
  return { token: idToken, expiresAtMs: nowMs < freshUntilMs ? freshUntilMs : null };
}

/**
 * See `idTokenExpired` (client-go v0.37.1, plugin/pkg/client/auth/oidc/oidc.go). For a token without `exp`, the result
 * is in the past.
 */
function usableUntilMs(idToken: string): number {
  const parts = idToken.split(".");
  const claims = parts.length === 3 ? parsedJson(Buffer.from(parts[1] ?? "", "base64url").toString("utf8")) : null;
  const seconds = Math.trunc(Number(at(claims, "exp") ?? 0));
  if (!isObject(claims) || Number.isNaN(seconds))
    throw new Error("the id-token of the auth-provider oidc is no JWT with a time of expiry");
  return seconds * 1000 - EXPIRY_DELTA_MS;
}

/** The limit on an answer's size, as in `doTokenRoundTrip` (golang.org/x/oauth2 v0.36.0, internal/token.go). */
const MOST_BYTES = 2 ** 20;

/** Replaces `fetch`, which takes no agent. As in kubectl, the cluster's `proxy-url` does not apply. */
function fetchThrough({ env }: ChosenContext, authority: string | null, signal: AbortSignal): client.CustomFetch {
  const cluster = authority === null ? {} : { "certificate-authority-data": authority };
  const type = "application/x-www-form-urlencoded";
  return async (url, { method, headers, body }) => {
    try {
      const { agent } = await clientOptions({ server: url, cluster, env }, {});
      const own = { ...headers, "user-agent": "kubectl-backoff", ...(body && { "content-type": type }) };
      const { request } = url.startsWith("https:") ? https : http;
      const [status, bytes] = await new Promise<[number | undefined, Buffer]>((resolve, reject) => {
        const sent = request(url, { agent, signal, method, headers: own }, (answer) => {
          bytesOf({ body: answer }, MOST_BYTES).then((whole) => resolve([answer.statusCode, whole]), reject);
        });
        sent.on("error", reject).end(body?.toString());
      });
      // The answer counts as JSON, whatever its type. Unlike kubectl, the program does not read a form-encoded answer
      // (see `doTokenRoundTrip`).
      const init = { status: status ?? 0, headers: { "content-type": "application/json" } };
      return new Response(bytes.length === 0 ? null : Uint8Array.from(bytes), init);
    } catch (error) {
      throw error instanceof UserError ? error : unreached(connectionFailure(error), hostOf(url));
    }
  };
}

function unreached(failure: RequestFailure, host: string): RequestFailure {
  const { kind, message } = failure;
  if (kind === "untrusted") failure.message = `cannot verify who ${host} is (${message})`;
  else if (kind === "bad-answer") failure.message = `the answer of ${host} cannot be read: ${message}`;
  else failure.message = `${host} cannot be reached (${message})`;
  return failure;
}

/** Leaves out the rest of the address, which could hold a secret. */
function hostOf(url: string): string {
  return `the identity provider ${new URL(url).host}`;
}

/**
 * See `RetrieveToken` (golang.org/x/oauth2 v0.36.0, internal/token.go): some providers accept the client's secret only
 * in the header, others only in the body.
 */
async function refreshedTokens(config: JsonObject, refreshToken: string, fetch: client.CustomFetch): Promise<Tokens> {
  const field = (name: string): string => textOf(config[name]) ?? "";
  const [id, secret] = [field("client-id"), field("client-secret")];
  // As in client-go, the provider's metadata may name an issuer other than the idp-issuer-url: openid-client allows
  // such metadata if the address has /.well-known/.
  const address = URL.parse(`${field("idp-issuer-url").replace(/\/$/, "")}/.well-known/openid-configuration`);
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new Error("the idp-issuer-url is no http or https address");
  const execute = address.protocol === "https:" ? [] : [client.allowInsecureRequests];
  let login = basicAuth(id, secret);
  try {
    const options = { [client.customFetch]: fetch, execute };
    const provider = await client.discovery(address, id, ANY_CLOCK, (...request) => login(...request), options);
    const given = await client.refreshTokenGrant(provider, refreshToken).catch(async (first: unknown) => {
      if (statusOf(first) === null) throw first;
      login = secret === "" ? client.None() : client.ClientSecretPost(secret);
      return client.refreshTokenGrant(provider, refreshToken).catch((second: unknown) => {
        // Assumed: a provider that rejects only the refresh token has accepted the secret in the header.
        throw refusalIn(first) === "invalid_grant" ? first : second;
      });
    });
    return { idToken: given.id_token ?? null, refreshToken: given.refresh_token ?? null };
  } catch (error) {
    throw failureOf(error, hostOf(address.href));
  }
}

/** The local clock may be wrong, and the API server decides about expiry. */
const ANY_CLOCK = { [client.clockTolerance]: Number.MAX_SAFE_INTEGER };

/** Some error codes of RFC 6749, section 5.2. An unknown code could be a secret that the provider quotes. */
const REFUSALS = ["invalid_grant", "invalid_client", "invalid_request", "invalid_scope", "unauthorized_client"];

function refusalIn(error: unknown): string | null {
  return error instanceof client.ResponseBodyError ? oneOf(error.error, REFUSALS) : null;
}

function statusOf(error: unknown): number | null {
  if (error instanceof client.ResponseBodyError) return error.status;
  return error instanceof client.ClientError && error.cause instanceof Response ? error.cause.status : null;
}

/** Assumed: openid-client's own messages quote nothing from the provider's answer. */
function failureOf(error: unknown, host: string): Error {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  if (cause instanceof RequestFailure || cause instanceof UserError) return cause;
  const status = statusOf(error);
  if (status === null) return new Error(`the answer of ${host} cannot be used (${message})`);
  return new Error(`${host} does not renew the token (${refusalIn(error) ?? `HTTP status ${status}`})`);
}

/** openid-client encodes more characters than Go does, e.g. the - of a client id. A provider may reject the result. */
function basicAuth(id: string, secret: string): client.ClientAuth {
  const login = Buffer.from(`${escaped(id)}:${escaped(secret)}`).toString("base64");
  return (_server, _client, _body, headers) => headers.set("authorization", `Basic ${login}`);
}

/** Mirrors `QueryEscape` (Go 1.26.8, src/net/url/url.go), which encodes `*` but not `~`, unlike URLSearchParams. */
function escaped(text: string): string {
  return `${new URLSearchParams({ "": text })}`.slice(1).replaceAll("*", "%2A").replaceAll("%7E", "~");
}
