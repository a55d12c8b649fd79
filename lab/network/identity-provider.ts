import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

/** A request to the provider, mostly to its token endpoint. */
export interface TokenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Provider {
  readonly issuer: string;
  /** The token endpoint; by default below the issuer. */
  readonly endpoint?: string | undefined;
  /** Answers a request for tokens. */
  readonly answer: ProviderAnswer;
  /** Other answers, by path. */
  readonly on?: Readonly<Record<string, ProviderAnswer>> | undefined;
}

export type ProviderAnswer = (response: ServerResponse, request: TokenRequest) => void;

const CONFIGURATION = "/.well-known/openid-configuration";

/** A second of the epoch at which no token of today has expired. */
export const FAR_SECONDS = 4_000_000_000;

/** Answers as an identity provider (OpenID Connect). Returns a request that `answer` answered, else null. */
export async function answerAsProvider(
  request: IncomingMessage,
  response: ServerResponse,
  { issuer, endpoint = `${issuer}/token`, answer, on }: Provider,
): Promise<TokenRequest | null> {
  const { method = "", headers, url: path = "" } = request;
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const asked = { method, path, headers, body };
  const own = on?.[path];
  if (own !== undefined) own(response, asked);
  else if (path.endsWith(CONFIGURATION)) json(response, { issuer, token_endpoint: endpoint });
  else {
    answer(response, asked);
    return asked;
  }
  return null;
}

/** Answers as one of several providers on the same server, each with an issuer of its own: "/NAME" is its path. */
export function answerAsNamedProvider(
  request: IncomingMessage,
  response: ServerResponse,
  answerOf: (name: string, issuer: string) => ProviderAnswer,
): Promise<TokenRequest | null> {
  const [, name = ""] = (request.url ?? "").split("/");
  // By HTTP/2, a request has its host in a header of another name.
  const issuer = `https://${request.headers[":authority"] ?? request.headers.host}/${name}`;
  return answerAsProvider(request, response, { issuer, answer: answerOf(name, issuer) });
}

export function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

/** Makes an id token whose signature nobody verifies. */
export function idToken(claims: object, signature = "signature"): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return [part({ alg: "RS256" }), part(claims), signature].join(".");
}

/** The body of a provider's answer with this id token. */
export function tokensWith(idToken: string | undefined): object {
  return { access_token: "a", token_type: "Bearer", expires_in: 60, id_token: idToken };
}
