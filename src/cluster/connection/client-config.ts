import { readFileSync } from "node:fs";
import type { Agent } from "node:http";
import type { AgentOptions, RequestOptions } from "node:https";
import { isIP } from "node:net";
import tls, { type SecureContextOptions } from "node:tls";
import type { Cluster, User } from "@kubernetes/client-node";
import { UserError } from "../../errors.ts";
import { systemCause } from "../objects/error-text.ts";
import { type JsonObject, textOf } from "../objects/json-access.ts";
import { systemAuthorities } from "./authorities.ts";
import type { ChosenContext } from "./kubeconfig.ts";
import { environmentProxy } from "./proxy-choice.ts";

type Target = Pick<ChosenContext, "server" | "cluster" | "env">;

export interface Credential extends Pick<User, "token" | "certData" | "keyData"> {
  readonly expiresAtMs: number | null;
}

/** Imports one module of client-node, because the whole package can load more slowly. */
export function loadClient() {
  return import("@kubernetes/client-node/dist/config.js");
}

/**
 * A KubeConfig of client-node caches its agent, so new certificates need a new KubeConfig. docs/upstream.md lists how
 * client-node differs from kubectl.
 */
export async function clientOptions(target: Target, user: Omit<User, "name">) {
  const { KubeConfig } = await loadClient();
  const config = new KubeConfig();
  config.loadFromClusterAndUser(clusterOf(target), { ...user, name: "user" });
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, auth, agent } = options;
  if (typeof agent !== "object") throw new Error("client-node has made no agent");
  if (target.server.startsWith("https:"))
    Object.assign((agent as Agent & { options: AgentOptions }).options, correctedTls(target, { ca, cert, key }));
  const basic = auth ? basicHeader(auth) : {};
  return {
    headers: { ...basic, ...(options.headers as Record<string, string>) },
    certificates: JSON.stringify([ca, cert, key].map(String)),
    agent,
  };
}

export function basicHeader(login: string): { readonly Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(login).toString("base64")}` };
}

const PROXIES = /^(https?|socks5h?):\/\//i;

function clusterOf({ server, cluster, env }: Target): Cluster {
  const proxy = textOf(cluster["proxy-url"]) ?? environmentProxy(server, env);
  if (proxy !== null && !(PROXIES.test(proxy) && URL.canParse(proxy))) throw new UserError("badProxy", proxy);
  const name = textOf(cluster["tls-server-name"]);
  const authority = contentOf(cluster, "certificate-authority");
  return {
    name: "cluster",
    server,
    // client-node can refuse plain http unless it may skip the verification.
    skipTLSVerify: cluster["insecure-skip-tls-verify"] === true || server.startsWith("http:"),
    ...(authority !== null && { caData: authority }),
    ...(name !== null && isIP(name) === 0 && { tlsServerName: name }),
    // As in kubectl, a SOCKS5 proxy looks up the server's name.
    ...(proxy !== null && { proxyUrl: proxy.replace(/^socks5h?:/i, "socks5h:") }),
  };
}

/** SNI must not carry an IP address (RFC 6066). */
function correctedTls({ cluster, env }: Target, { ca, ...identity }: SecureContextOptions): AgentOptions {
  const isVerified = cluster["insecure-skip-tls-verify"] !== true;
  const trust = isVerified ? { ca: ca ?? systemAuthorities(env), allowPartialTrustChain: true } : {};
  const name = textOf(cluster["tls-server-name"]) ?? "";
  const checkServerIdentity: typeof tls.checkServerIdentity = (_, peer) => tls.checkServerIdentity(name, peer);
  return {
    secureContext: tls.createSecureContext({ ...identity, ...trust }),
    rejectUnauthorized: isVerified,
    ...(isIP(name) !== 0 && { servername: "", checkServerIdentity }),
  };
}

export function contentOf(fields: JsonObject, field: string): string | null {
  const data = textOf(fields[`${field}-data`]);
  const file = textOf(fields[field]);
  return data ?? (file === null ? null : readSecret(file, field).toString("base64"));
}

/** Errors do not quote `file`: the user may have written the secret itself into the field, instead of a file's name. */
export function readSecret(file: string, field: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`the file that ${field} names cannot be read (${systemCause(error)})`);
  }
}
