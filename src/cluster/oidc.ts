import { readFileSync } from "node:fs";
import { systemCause } from "./input-bytes.ts";
import type { ChosenContext } from "./kubeconfig.ts";
import type { Fields } from "./kubeconfig-files.ts";
import { refreshedTokens } from "./oidc-refresh.ts";
import { at, isObject, parsedJson, textOf } from "./untrusted.ts";

/** What authenticates somebody, and until when. */
export interface IdToken {
  readonly token: string;
  /** When it is to be renewed; null: not before it is refused. */
  readonly expiresAtMs: number | null;
}

interface Tokens {
  readonly idToken: string | null;
  readonly refreshToken: string | null;
}

/** What was renewed is kept for as long as the program runs, and nowhere else: a refresh token may be good for one use only. */
const renewed = new WeakMap<ChosenContext, Tokens>();

/** Mirrors `expiryDelta` (client-go v0.37.1, plugin/pkg/client/auth/oidc/oidc.go): clocks differ, and a request takes its time. */
const EXPIRY_DELTA_MS = 10_000;

/** What to use instead of the providers that Kubernetes 1.26 has removed (plugin/pkg/client/auth/{gcp,azure} of client-go). */
const REMOVED: Readonly<Record<string, string>> = { gcp: "gke-gcloud-auth-plugin", azure: "kubelogin" };

/**
 * An Error if a user's auth-provider is none that kubectl could use, whatever else the user has. Mirrors `GetAuthProvider`
 * (client-go v0.37.1, rest/plugin.go), `newOIDCAuthProvider` and what `validateAuthInfo` says of it.
 */
export function requireUsableProvider(user: Fields): void {
  const provider = user["auth-provider"];
  if (!isObject(provider)) return;
  if (isObject(user["exec"])) throw new Error("there is a credential plugin (exec) and also an auth-provider");
  const name = textOf(provider["name"]) ?? "";
  const instead = Object.hasOwn(REMOVED, name) ? REMOVED[name] : undefined;
  if (instead !== undefined)
    throw new Error(`the auth-provider ${name} is gone since Kubernetes 1.26; use the credential plugin ${instead}`);
  if (name !== "oidc") throw new Error(`there is no auth-provider ${JSON.stringify(name)}, only oidc`);
  for (const field of ["idp-issuer-url", "client-id"])
    if (textOf(at(provider, "config", field)) === null) throw new Error(`the auth-provider oidc has no ${field}`);
}

/**
 * The id token of a user with `auth-provider: oidc`: the one at hand until it expires, else a new one from the identity
 * provider, which `signal` stops asking. Mirrors `idToken` (client-go v0.37.1, plugin/pkg/client/auth/oidc/oidc.go), except
 * that nothing is written back into the kubeconfig. An Error that says what is wrong, without secrets.
 */
export async function idTokenOf(context: ChosenContext, nowMs: number, signal?: AbortSignal): Promise<IdToken> {
  const config = at(context.user["auth-provider"], "config");
  const field = (name: string): string | null => textOf(at(config, name));
  const own = renewed.get(context) ?? { idToken: field("id-token"), refreshToken: field("refresh-token") };
  const endsAtMs = own.idToken === null ? null : usableUntilMs(own.idToken);
  if (own.idToken !== null && endsAtMs !== null && nowMs < endsAtMs)
    return { token: own.idToken, expiresAtMs: endsAtMs };
  if (own.refreshToken === null)
    throw new Error(
      `${own.idToken === null ? "there is no id-token" : "the id-token has expired"}, and no refresh-token to get another`,
    );
  const client = {
    issuer: field("idp-issuer-url") ?? "",
    id: field("client-id") ?? "",
    secret: field("client-secret") ?? "",
  };
  const way = { env: context.env, authority: authorityIn(field), ...(signal && { signal }) };
  const { idToken, refreshToken } = await refreshedTokens(client, own.refreshToken, way);
  renewed.set(context, { idToken, refreshToken: refreshToken ?? own.refreshToken });
  const freshUntilMs = usableUntilMs(idToken);
  // Given this moment and expired already: it is the clock here that is wrong, and the server's that counts.
  return { token: idToken, expiresAtMs: nowMs < freshUntilMs ? freshUntilMs : null };
}

/** Mirrors `idTokenExpired` of the same file: without an `exp` it has expired for ever. */
function usableUntilMs(idToken: string): number {
  const parts = idToken.split(".");
  const claims = parts.length === 3 ? parsedJson(Buffer.from(parts[1] ?? "", "base64url").toString("utf8")) : null;
  const seconds = Math.trunc(Number(at(claims, "exp") ?? 0));
  if (!isObject(claims) || Number.isNaN(seconds))
    throw new Error("the id-token of the auth-provider oidc is no JWT with a time of expiry");
  return seconds * 1000 - EXPIRY_DELTA_MS;
}

/** The certificates that are trusted instead of the system's; a relative file is of the current folder, as with kubectl. */
function authorityIn(field: (name: string) => string | null): Buffer | null {
  const [file, data] = [field("idp-certificate-authority"), field("idp-certificate-authority-data")];
  if (file === null && data === null) return null;
  const pem = data === null ? contentOf(file ?? "") : Buffer.from(data, "base64");
  if (!pem.includes("-----BEGIN CERTIFICATE-----"))
    throw new Error(`there is no certificate in idp-certificate-authority${data === null ? "" : "-data"}`);
  return pem;
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`the file that idp-certificate-authority names cannot be read (${systemCause(error)})`);
  }
}
