import { basename } from "node:path";
import type { ConnectOptions } from "../cluster/connect.ts";
import { chooseContext } from "../cluster/kubeconfig.ts";
import type { Fields } from "../cluster/kubeconfig-files.ts";
import { at, isObject, textOf } from "../cluster/untrusted.ts";

/** Where a context's credentials come from, by kind: never what they are. In the order in which they are taken. */
export function kindOfCredentials(options: ConnectOptions): string {
  const { user, server } = chooseContext(options);
  const has = (...names: string[]): boolean => names.some((name) => textOf(user[name]) !== null);
  const as = has("as") ? ", impersonating somebody" : "";
  return `${kindOf(user, has)}${server.startsWith("http:") ? " (plain http: none is sent)" : ""}${as}`;
}

function kindOf(user: Fields, has: (...names: string[]) => boolean): string {
  const certificate = has("client-certificate", "client-certificate-data") ? ["client certificate"] : [];
  if (has("tokenFile")) return [...certificate, "token of a file"].join(" and ");
  if (has("token")) return [...certificate, "token"].join(" and ");
  if (has("username")) return [...certificate, "name and password"].join(" and ");
  if (certificate.length > 0) return "client certificate";
  if (isObject(user["exec"])) return `exec plugin ${basename(textOf(at(user["exec"], "command")) ?? "")}`;
  const provider = textOf(at(user["auth-provider"], "name"));
  return provider === null ? "none" : `auth provider ${provider}`;
}

/** An address without the name and the password that may be in it. */
export function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return "unreadable";
  const url = new URL(address);
  return `${url.origin}${url.pathname === "/" ? "" : url.pathname}`;
}
