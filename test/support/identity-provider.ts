import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { listenForTest } from "./listen-for-test.ts";
import { SERVER_TLS, tlsFile } from "./tls-fixtures.ts";

interface TokenRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An identity provider with TLS, until the test ends. */
export interface IdentityProvider {
  readonly url: string;
  /** The paths of all requests. */
  readonly asked: readonly string[];
  readonly tokenRequests: readonly TokenRequest[];
  /** The number of requests that broke off before their answer. */
  readonly brokenOff: () => number;
}

type ProviderAnswer = (response: ServerResponse, request: TokenRequest & { readonly path: string }) => void;

/** By default the provider behaves correctly. */
export interface ProviderBehaviour {
  /** Returns the tokens for the n-th request; null: refused with 401. */
  readonly tokens?: (request: TokenRequest, times: number) => object | null;
  /** The token endpoint. */
  readonly endpoint?: string;
  /** Other answers, by path. */
  readonly on?: Readonly<Record<string, ProviderAnswer>>;
  /** A file of test/fixtures/tls; the key is always the same. */
  readonly certificate?: string;
}

const CONFIGURATION = "/.well-known/openid-configuration";

export async function identityProvider(behaviour: ProviderBehaviour = {}): Promise<IdentityProvider> {
  const asked: string[] = [];
  const tokenRequests: TokenRequest[] = [];
  let brokenOff = 0;
  const cert = readFileSync(tlsFile(behaviour.certificate ?? "cert.pem"));
  const server = createServer({ cert, key: SERVER_TLS.key }, async (request, response) => {
    const { method = "", headers, url: path = "" } = request;
    asked.push(path);
    response.on("close", () => (brokenOff += response.writableFinished ? 0 : 1));
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const own = behaviour.on?.[path];
    if (own !== undefined) return own(response, { method, headers, body, path });
    if (path === CONFIGURATION)
      return json(response, { issuer: ISSUER, token_endpoint: behaviour.endpoint ?? `${url}/token` });
    tokenRequests.push({ method, headers, body });
    const given = (behaviour.tokens ?? (() => tokens()))({ method, headers, body }, tokenRequests.length);
    return given === null ? json(response, { error: "invalid_client" }, 401) : json(response, given);
  });
  const url = `https://${await listenForTest(server)}`;
  return { url, asked, tokenRequests, brokenOff: () => brokenOff };
}

export function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

/** client-go does not compare the issuer with the provider's address. */
export const ISSUER = "https://issuer.example";

/** Tokens until this second have not expired. */
export const FAR_SECONDS = 4_000_000_000;

/** An id token for the client "me"; `name` makes it different from others, `more` are further claims. */
export function jwt(expiresAtSeconds: unknown, name = "n", more: object = {}): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: ISSUER, aud: "me", sub: "jane", iat: 1, exp: expiresAtSeconds, name, ...more };
  return [part({ alg: "RS256" }), part(claims), "signature"].join(".");
}

/** The body of a provider's answer with an id token. */
export function tokens(idToken = jwt(FAR_SECONDS, "renewed"), more: object = {}): object {
  return { access_token: "a", token_type: "Bearer", expires_in: 60, id_token: idToken, ...more };
}
