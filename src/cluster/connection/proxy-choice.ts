import { BlockList, isIP } from "node:net";
import type { Environment } from "./kubeconfig-files.ts";

/** See `ProxyFunc` (golang.org/x/net v0.57.0, http/httpproxy/proxy.go). Null means no proxy. */
export function environmentProxy(server: string, env: Environment): string | null {
  const url = new URL(server);
  const scheme = url.protocol === "https:" ? "HTTPS" : "HTTP";
  const proxy = variableOf(env, `${scheme}_PROXY`);
  if (proxy === "") return null;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const port = url.port || (scheme === "HTTPS" ? "443" : "80");
  const exceptions = ["127.0.0.0/8", "::1", ...variableOf(env, "NO_PROXY").split(",")];
  if (host === "localhost" || exceptions.some((entry) => matches(host, port, entry.trim().toLowerCase()))) return null;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function variableOf(env: Environment, name: string): string {
  return env[name] || env[name.toLowerCase()] || "";
}

/**
 * Examples of entries in NO_PROXY: "*", "10.0.0.1", "10.0.0.0/8", "a.b" (with subdomains) and ".a.b" (only subdomains).
 */
function matches(host: string, port: string, entry: string): boolean {
  if (entry === "*") return true;
  const range = /^(?<base>[^/]+)\/(?<bits>\d{1,3})$/.exec(entry)?.groups;
  if (range !== undefined) return isWithin(host, range["base"] ?? "", Number(range["bits"]));
  const [name, ofPort] = splitPort(entry);
  if (name === "" || (ofPort !== "" && ofPort !== port)) return false;
  const family = isIP(name);
  if (family !== 0) return isWithin(host, name, family === 4 ? 32 : 128);
  if (isIP(host) !== 0) return false;
  const suffix = name.replace(/^\*\./, ".");
  return suffix.startsWith(".") ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`);
}

/** An IPv6 address without brackets has no port. */
function splitPort(entry: string): [string, string] {
  const groups = /^(?:\[(?<bracketed>[^\]]*)\]|(?<bare>[^:]*))(?::(?<port>\d*))?$/.exec(entry)?.groups;
  return groups === undefined ? [entry, ""] : [groups["bracketed"] ?? groups["bare"] ?? "", groups["port"] ?? ""];
}

function isWithin(host: string, base: string, bits: number): boolean {
  const family = isIP(host);
  if (family === 0 || isIP(base) !== family || bits > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const version = family === 4 ? "ipv4" : "ipv6";
  list.addSubnet(base, bits, version);
  return list.check(host, version);
}
