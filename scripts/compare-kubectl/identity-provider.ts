import type { IncomingMessage, ServerResponse } from "node:http";

export const PROVIDER = "/idp";

/** A second of the epoch at which no token of today is valid. */
export const FAR_FUTURE = 4_000_000_000;

export const CLIENT_ID = "a b*~";

/** An id token that expires at this second of the epoch. openid-client needs more claims. */
export function idToken(exp: number | undefined, more: object = {}): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return [part({ alg: "RS256" }), part({ exp, ...more }), "signature"].join(".");
}

/** Answers as an identity provider. Returns the form of a request for tokens; null for any other request. */
export async function answerAsProvider(request: IncomingMessage, response: ServerResponse): Promise<string | null> {
  const { method, headers, url = "" } = request;
  const [, how = ""] = /^(\/[^/]*)\//.exec(url) ?? [];
  const issuer = `https://${headers.host}${how}`;
  response.setHeader("Content-Type", "application/json");
  if (url.includes("/.well-known/")) {
    response.end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token` }));
    return null;
  }
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const isRefused = how.endsWith("-refuses") || (how.endsWith("-body") && headers.authorization !== undefined);
  const claims = { iss: issuer, aud: CLIENT_ID, sub: "jane", iat: 1 };
  const given = { access_token: "a", token_type: "Bearer", refresh_token: "r2", id_token: idToken(FAR_FUTURE, claims) };
  if (isRefused) response.writeHead(400).end(JSON.stringify({ error: "invalid_grant" }));
  else if (how.endsWith("-other")) response.end(JSON.stringify({ ...given, id_token: undefined }));
  else response.end(JSON.stringify(given));
  // A form means the same in any order, and however its characters are written.
  const form = new URLSearchParams(body);
  form.sort();
  return [method, url, headers["content-type"], headers.authorization, `${form}`].filter(Boolean).join(" ");
}
