import type { Headers } from "./impersonation.ts";
import { textOf } from "./untrusted.ts";

const IN_ITS_PLACE = "***";

/** What a server says, without what it was told in confidence: a server or proxy for debugging may quote a whole request. */
export function withoutSecrets(text: string, headers: Headers): string {
  const [, kind, secret = ""] = /^(Bearer|Basic) (.+)$/s.exec(textOf(headers["Authorization"]) ?? "") ?? [];
  const secrets = kind === "Basic" ? [secret, passwordIn(secret)] : [secret];
  return secrets.filter((known) => known !== "").reduce((rest, known) => rest.replaceAll(known, IN_ITS_PLACE), text);
}

function passwordIn(basic: string): string {
  return Buffer.from(basic, "base64").toString("utf8").replace(/^.*?:/s, "");
}
