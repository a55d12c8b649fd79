import type { Agent, RequestOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import type { ChosenContext } from "./kubeconfig.ts";
import type { Fields } from "./kubeconfig-files.ts";
import { at, textOf } from "./untrusted.ts";

// Here, not at the top: the package takes longer to load than all the rest, and most clusters do without it.

/**
 * The token that the user's auth-provider gives: OIDC refreshes an expired one, and the new one is not written back. Null
 * without one. Throws if the provider does not answer.
 */
export async function providerToken({ server, user }: ChosenContext): Promise<string | null> {
  const config = await configOf(server, {}, { "auth-provider": user["auth-provider"] });
  // The package hands the issuer on to one that takes only a URL.
  const settings = config.users[0]?.authProvider?.config;
  const issuer = textOf(at(settings, "idp-issuer-url"));
  if (issuer !== null && URL.canParse(issuer)) settings["idp-issuer-url"] = new URL(issuer);
  const options: RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    throw new Error(`the auth-provider ${textOf(at(user, "auth-provider", "name"))} gave no token${codeOf(error)}`);
  }
  const authorization = textOf(at(options.headers, "Authorization"));
  return authorization?.replace(/^Bearer /, "") ?? null;
}

/** RFC 6749, 5.2. */
const REFUSALS = ["invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "invalid_scope"];

/** The code of a failure, in brackets: its message may quote the answer, a command, or a token. */
function codeOf(error: unknown): string {
  const codes = [at(error, "error"), at(error, "cause", "code"), at(error, "code")].map(textOf);
  const code = codes.find((text) => text !== null && (/^[A-Z][A-Z\d_]+$/.test(text) || REFUSALS.includes(text)));
  return code === undefined ? "" : ` (${code})`;
}

/** An agent that goes through a proxy: http and https with CONNECT, or socks5, which with kubectl also looks the name up. */
export async function proxyAgent(server: string, proxy: string): Promise<Agent> {
  const config = await configOf(server, { "proxy-url": proxy.replace(/^socks5:/i, "socks5h:") }, {});
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  if (typeof options.agent !== "object") throw new Error("there is no way through the proxy");
  // Of those for plain http too, which take the same options and ignore what is about TLS.
  return options.agent as Agent;
}

async function configOf(server: string, cluster: Fields, user: Fields): Promise<KubeConfig> {
  const client = await import("@kubernetes/client-node");
  const config = new client.KubeConfig();
  const name = "context";
  const document = {
    // Plain http is refused unless nothing is to be verified.
    clusters: [{ name, cluster: { ...cluster, server, "insecure-skip-tls-verify": server.startsWith("http:") } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  };
  config.loadFromString(JSON.stringify(document));
  return config;
}
