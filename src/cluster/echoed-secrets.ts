import type { RequestOptions } from "node:https";
import { at, textOf } from "./untrusted.ts";

const IN_ITS_PLACE = "***";

/** What a server says, without what it was told in confidence: a server or proxy for debugging may quote a whole request. */
export function withoutSecrets(text: string, { headers, auth }: RequestOptions): string {
  const token = textOf(at(headers, "Authorization"))?.replace(/^Bearer /, "");
  const basic = typeof auth === "string" ? [Buffer.from(auth).toString("base64"), auth.replace(/^.*?:/s, "")] : [];
  const secrets = [token, ...basic].filter((secret) => secret !== undefined && secret !== "");
  return secrets.reduce<string>((rest, secret) => rest.replaceAll(secret ?? "", IN_ITS_PLACE), text);
}
