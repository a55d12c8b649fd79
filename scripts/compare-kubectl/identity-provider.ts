import type { IncomingMessage, ServerResponse } from "node:http";
import {
  answerAsNamedProvider,
  FAR_SECONDS,
  idToken,
  json,
  type ProviderAnswer,
  tokensWith,
} from "../../lab/network/identity-provider.ts";

/** The path of the provider. What follows this name in its first part decides the answer. */
export const PROVIDER = "/idp";

export const CLIENT_ID = "a b*~";

/** Answers as an identity provider. Returns the form of a request for tokens; null for any other request. */
export async function formOfLogin(request: IncomingMessage, response: ServerResponse): Promise<string | null> {
  const asked = await answerAsNamedProvider(request, response, answerOf);
  if (asked === null) return null;
  // A form means the same in any order, and however its characters are written.
  const form = new URLSearchParams(asked.body);
  form.sort();
  const { "content-type": type, authorization } = asked.headers;
  return [asked.method, asked.path, type, authorization, `${form}`].filter(Boolean).join(" ");
}

function answerOf(name: string, issuer: string): ProviderAnswer {
  // openid-client needs more claims than kubectl.
  const token = idToken({ exp: FAR_SECONDS, iss: issuer, aud: CLIENT_ID, sub: "jane", iat: 1 });
  return (response, { headers }) => {
    const isRefused = name.endsWith("-refuses") || (name.endsWith("-body") && headers.authorization !== undefined);
    if (isRefused) return json(response, { error: "invalid_grant" }, 400);
    const given = tokensWith(name.endsWith("-other") ? undefined : token);
    return json(response, { ...given, refresh_token: "r2" });
  };
}
