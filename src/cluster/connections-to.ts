import http from "node:http";
import https, { type Agent } from "node:https";
import type { SecureContextOptions } from "node:tls";
import { UserError } from "../errors.ts";
import { DirectConnections } from "./direct-connections.ts";
import type { ChosenContext } from "./kubeconfig.ts";
import { environmentProxy } from "./proxy-choice.ts";
import { ServerConnections } from "./server-connections.ts";
import { type TlsSettings, tlsSettings } from "./tls-settings.ts";
import { textOf } from "./untrusted.ts";

/** How a context's server is reached: with TLS or without, directly or through a proxy. A UserError if that is none. */
export async function connectionsTo(
  { server, cluster, env }: Pick<ChosenContext, "server" | "cluster" | "env">,
  certificates: SecureContextOptions,
): Promise<ServerConnections> {
  const proxy = textOf(cluster["proxy-url"]) ?? environmentProxy(server, env);
  const settings = server.startsWith("http:") ? null : await tlsSettings(cluster, certificates, env);
  if (proxy !== null) {
    const agent = await agentThrough(proxy, server, settings);
    return new ServerConnections(() => agent, null);
  }
  return new ServerConnections(
    () => agentStraight(settings),
    settings === null ? null : new DirectConnections(server, settings),
  );
}

/** The agent of Node's own client for a server that no proxy is before; null: without TLS. */
export function agentStraight(settings: TlsSettings | null): http.Agent {
  return settings === null ? new http.Agent() : new https.Agent(settings);
}

const PROXIES = /^(https?|socks5h?):\/\//i;

/** TLS is spoken with the server behind the proxy. A UserError if it is none. */
export async function agentThrough(proxy: string, server: string, settings: TlsSettings | null): Promise<Agent> {
  if (!PROXIES.test(proxy) || !URL.canParse(proxy)) throw new UserError("badProxy", proxy);
  const { proxyAgent } = await import("./client-node.ts");
  const agent = await proxyAgent(server, proxy);
  Object.assign(agent.options, settings);
  return agent;
}
