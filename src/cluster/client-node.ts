import type { Agent, RequestOptions } from "node:https";

/** An agent that goes through a proxy: http and https with CONNECT, or socks5, which with kubectl also looks the name up. */
export async function proxyAgent(server: string, proxy: string): Promise<Agent> {
  // Here, not at the top: the package takes longer to load than all the rest, and most clusters do without it.
  const client = await import("@kubernetes/client-node");
  const config = new client.KubeConfig();
  const name = "context";
  // Plain http is refused unless nothing is to be verified.
  const cluster = { server, "insecure-skip-tls-verify": server.startsWith("http:") };
  const document = {
    clusters: [{ name, cluster: { ...cluster, "proxy-url": proxy.replace(/^socks5:/i, "socks5h:") } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  };
  config.loadFromString(JSON.stringify(document));
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  if (typeof options.agent !== "object") throw new Error("there is no way through the proxy");
  // Of those for plain http too, which take the same options and ignore what is about TLS.
  return options.agent as Agent;
}
