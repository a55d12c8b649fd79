import type { IncomingMessage, ServerResponse } from "node:http";
import {
  answerAsNamedProvider,
  FAR_SECONDS,
  idToken,
  json,
  type ProviderAnswer,
  tokensWith,
} from "../../lab/network/identity-provider.ts";

/** The rest of the first part of the path, e.g. `-refuses`, decides the provider's answer. */
export const PROVIDER = "/idp";

export const CLIENT_ID = "a b*~";

/** Returns a request for tokens as one line of text; null for another request. */
export async function formOfLogin(request: IncomingMessage, response: ServerResponse): Promise<string | null> {
  const asked = await answerAsNamedProvider(request, response, answerOf);
  if (asked === null) return null;
  const form = new URLSearchParams(asked.body);
  form.sort();
  const { "content-type": type, authorization } = asked.headers;
  return [asked.method, asked.path, type, authorization, `${form}`].filter(Boolean).join(" ");
}

function answerOf(name: string, issuer: string): ProviderAnswer {
  // openid-client needs more claims than kubectl does.
  const token = idToken({ exp: FAR_SECONDS, iss: issuer, aud: CLIENT_ID, sub: "jane", iat: 1 });
  return (response, { headers }) => {
    const isRefused = name.endsWith("-refuses") || (name.endsWith("-body") && headers.authorization !== undefined);
    if (isRefused) return json(response, { error: "invalid_grant" }, 400);
    const given = tokensWith(name.endsWith("-other") ? undefined : token);
    return json(response, { ...given, refresh_token: "r2" });
  };
}
