import { readFileSync } from "node:fs";
import {
  answerAsProvider,
  FAR_SECONDS,
  idToken,
  json,
  type ProviderAnswer,
  type TokenRequest,
  tokensWith,
} from "../../lab/network/identity-provider.ts";
import { type Answer, tinyServer } from "./tiny-server.ts";
import { tlsFile } from "./tls-fixtures.ts";

export { FAR_SECONDS, json };

/** An identity provider with TLS, until the test ends. */
export interface IdentityProvider {
  readonly url: string;
  /** The paths of all requests. */
  readonly asked: readonly string[];
  readonly tokenRequests: readonly TokenRequest[];
  /** The number of requests that broke off before their answer. */
  readonly brokenOff: () => number;
}

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

export async function identityProvider(behaviour: ProviderBehaviour = {}): Promise<IdentityProvider> {
  const tokenRequests: TokenRequest[] = [];
  let brokenOff = 0;
  const answer: ProviderAnswer = (response, request) => {
    tokenRequests.push(request);
    const given = (behaviour.tokens ?? (() => tokens()))(request, tokenRequests.length);
    if (given === null) json(response, { error: "invalid_client" }, 401);
    else json(response, given);
  };
  const certificate = readFileSync(tlsFile(behaviour.certificate ?? "cert.pem"));
  const answerRequest: Answer = (request, response) => {
    response.on("close", () => (brokenOff += response.writableFinished ? 0 : 1));
    const provider = { issuer: ISSUER, endpoint: behaviour.endpoint ?? `${url}/token`, answer, on: behaviour.on };
    void answerAsProvider(request, response, provider);
  };
  const { url, asked } = await tinyServer(answerRequest, { tls: true, certificate });
  return { url, asked, tokenRequests, brokenOff: () => brokenOff };
}

/** client-go does not compare the issuer with the provider's address. */
export const ISSUER = "https://issuer.example";

/** An id token for the client "me"; `name` makes it different from others, `more` are further claims. */
export function jwt(expiresAtSeconds: unknown, name = "n", more: object = {}): string {
  return idToken({ iss: ISSUER, aud: "me", sub: "jane", iat: 1, exp: expiresAtSeconds, name, ...more });
}

/** The body of a provider's answer with an id token. */
export function tokens(token = jwt(FAR_SECONDS, "renewed"), more: object = {}): object {
  return { ...tokensWith(token), ...more };
}
