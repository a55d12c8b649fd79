import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

export interface TokenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Provider {
  readonly issuer: string;
  readonly endpoint?: string | undefined;
  readonly answer: ProviderAnswer;
  readonly on?: Readonly<Record<string, ProviderAnswer>> | undefined;
}

export type ProviderAnswer = (response: ServerResponse, request: TokenRequest) => void;

const CONFIGURATION = "/.well-known/openid-configuration";

/** In seconds since the epoch: in the year 2096. */
export const FAR_SECONDS = 4_000_000_000;

/** Returns the request if `answer` answered it, else null. */
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

/** Several providers share a server: the first part of the path is the name of the provider. */
export function answerAsNamedProvider(
  request: IncomingMessage,
  response: ServerResponse,
  answerOf: (name: string, issuer: string) => ProviderAnswer,
): Promise<TokenRequest | null> {
  const [, name = ""] = (request.url ?? "").split("/");
  // In HTTP/2, `:authority` holds the host.
  const issuer = `https://${request.headers[":authority"] ?? request.headers.host}/${name}`;
  return answerAsProvider(request, response, { issuer, answer: answerOf(name, issuer) });
}

export function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

export function idToken(claims: object, signature = "signature"): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return [part({ alg: "RS256" }), part(claims), signature].join(".");
}

export function tokensWith(idToken: string | undefined): object {
  return { access_token: "a", token_type: "Bearer", expires_in: 60, id_token: idToken };
}
