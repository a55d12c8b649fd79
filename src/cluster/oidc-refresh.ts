import { askProvider, hostOf, type ProviderAnswer, type ProviderWay } from "./oidc-request.ts";
import { at, oneOf, parsedJson, textOf } from "./untrusted.ts";

/** Who asks an identity provider: what it knows this program as. */
export interface OidcClient {
  /** The provider's address; a slash at the end does not count. */
  readonly issuer: string;
  readonly id: string;
  /** Empty if there is none. */
  readonly secret: string;
}

/** What a provider has given. */
export interface FreshTokens {
  readonly idToken: string;
  /** What takes the place of the one that was sent; null if that one stays good. */
  readonly refreshToken: string | null;
}

/**
 * Asks an identity provider for a new id token. Mirrors the second half of `idToken` (client-go v0.37.1,
 * plugin/pkg/client/auth/oidc/oidc.go) and `RetrieveToken` (golang.org/x/oauth2 v0.36.0, internal/token.go): the client's
 * secret is sent in a header and, if that is answered with anything but tokens, once again in the body. Nothing is sent again
 * where there was no answer, which Go does too. An Error that says what is wrong, without secrets.
 */
export async function refreshedTokens(
  client: OidcClient,
  refreshToken: string,
  way: ProviderWay,
): Promise<FreshTokens> {
  const endpoint = await tokenEndpoint(client.issuer, way);
  const grant = { grant_type: "refresh_token", refresh_token: refreshToken };
  const basic = Buffer.from(`${escaped(client.id)}:${escaped(client.secret)}`).toString("base64");
  const inHeader = { body: encoded(grant), authorization: `Basic ${basic}` };
  const first = tokensIn(await askProvider(endpoint, way, inHeader), endpoint);
  if (!(first instanceof Error)) return first;
  const identity = { client_id: client.id, ...(client.secret !== "" && { client_secret: client.secret }) };
  const second = tokensIn(await askProvider(endpoint, way, { body: encoded({ ...identity, ...grant }) }), endpoint);
  if (!(second instanceof Error)) return second;
  // Whoever says this has taken the secret as it was first sent, and may not know it in the body.
  throw first.message.includes(NOT_GOOD_ANY_MORE) ? first : second;
}

/** Mirrors `tokenEndpoint` of oidc.go: where the provider's metadata says that tokens are to be had. */
async function tokenEndpoint(issuer: string, way: ProviderWay): Promise<string> {
  const metadata = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  if (!isAddress(metadata)) throw new Error("the idp-issuer-url is no http or https address");
  const { status, text } = await askProvider(metadata, way);
  if (status !== 200) throw new Error(`${hostOf(metadata)} answered ${status} when asked for its openid-configuration`);
  const endpoint = textOf(at(parsedJson(text), "token_endpoint"));
  if (endpoint === null) throw new Error(`the openid-configuration of ${hostOf(metadata)} names no token_endpoint`);
  if (!isAddress(endpoint)) throw new Error(`the token_endpoint of ${hostOf(metadata)} is no http or https address`);
  if (metadata.startsWith("https:") && !/^https:/i.test(endpoint))
    throw new Error(`the token_endpoint of ${hostOf(metadata)} is plain http, where no secrets are sent`);
  return endpoint;
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** RFC 6749, 5.2: the refresh token is invalid, has expired, was used or is somebody else's. */
const NOT_GOOD_ANY_MORE = "invalid_grant";
/** What else a provider may say, which is repeated; anything else could be what it was sent. */
const REFUSALS = [
  NOT_GOOD_ANY_MORE,
  ...["invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope"],
  // OpenID Connect Core 1.0, 3.1.2.6.
  ...["interaction_required", "login_required", "consent_required", "account_selection_required"],
  ...["server_error", "temporarily_unavailable", "access_denied"],
];

/**
 * Mirrors `doTokenRoundTrip` (golang.org/x/oauth2 v0.36.0): some refuse with 200, and some answer as a form. An Error is given
 * where the other way to send the secret may help, and thrown where tokens were given, and none of them is an id token.
 */
function tokensIn({ status, type, text }: ProviderAnswer, endpoint: string): FreshTokens | Error {
  const isForm = type === "application/x-www-form-urlencoded" || type === "text/plain";
  const answer = isForm ? Object.fromEntries(new URLSearchParams(text)) : parsedJson(text);
  const [refusal, idToken] = [textOf(at(answer, "error")), textOf(at(answer, "id_token"))];
  if (status < 200 || status > 299 || refusal !== null)
    return new Error(
      `${hostOf(endpoint)} does not renew the token (${oneOf(refusal, REFUSALS) ?? `HTTP status ${status}`})`,
    );
  if (textOf(at(answer, "access_token")) === null)
    return new Error(`the answer of ${hostOf(endpoint)} holds no tokens`);
  if (idToken === null)
    throw new Error(`the answer of ${hostOf(endpoint)} holds no id_token; was there the scope openid at the login?`);
  return { idToken, refreshToken: textOf(at(answer, "refresh_token")) };
}

/** Mirrors `Values.Encode` (Go, net/url); its order is that of the names, as is ours. */
function encoded(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .join("&");
}

/** Mirrors `QueryEscape` (Go, net/url). */
function escaped(text: string): string {
  const percent = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!'()*]/g, percent)
    .replaceAll("%20", "+");
}
