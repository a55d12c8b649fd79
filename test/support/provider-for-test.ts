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

export interface IdentityProvider {
  readonly url: string;
  readonly asked: readonly string[];
  readonly tokenRequests: readonly TokenRequest[];
  /** The number of requests that were closed before their answer was complete. */
  readonly brokenOff: () => number;
}

export interface ProviderBehaviour {
  /** `times` counts the requests, from 1 on. Null makes the provider answer 401. */
  readonly tokens?: (request: TokenRequest, times: number) => object | null;
  readonly endpoint?: string;
  readonly on?: Readonly<Record<string, ProviderAnswer>>;
  /** The name of a file in test/fixtures/tls. The server's key is the same for all certificates. */
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

/** Not the provider's address: client-go does not compare the two. */
export const ISSUER = "https://issuer.example";

export function jwt(expiresAtSeconds: unknown, name = "n", more: object = {}): string {
  return idToken({ iss: ISSUER, aud: "me", sub: "jane", iat: 1, exp: expiresAtSeconds, name, ...more });
}

export function tokens(token = jwt(FAR_SECONDS, "renewed"), more: object = {}): object {
  return { ...tokensWith(token), ...more };
}
