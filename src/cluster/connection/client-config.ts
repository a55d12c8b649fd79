import { readFileSync } from "node:fs";
import type { Agent } from "node:http";
import type { AgentOptions, RequestOptions } from "node:https";
import { isIP } from "node:net";
import tls, { type SecureContextOptions } from "node:tls";
import type { Cluster, User } from "@kubernetes/client-node";
import { UserError } from "../../errors.ts";
import { systemCause } from "../objects/causes.ts";
import { textOf } from "../objects/untrusted.ts";
import { systemAuthorities } from "./authorities.ts";
import type { ChosenContext } from "./kubeconfig.ts";
import type { Fields } from "./kubeconfig-files.ts";
import { environmentProxy } from "./proxy-choice.ts";

/** A server, how to verify it, and the environment that may name a proxy to it. */
type Target = Pick<ChosenContext, "server" | "cluster" | "env">;

/** A credential of a plugin or an identity provider, as client-node takes it: a token, or a certificate with its key, or both. */
export interface Credential extends Pick<User, "token" | "certData" | "keyData"> {
  /** When to renew it; null: not before the server refuses it. */
  readonly expiresAtMs: number | null;
}

/** Loads the KubeConfig of client-node alone, because the whole package takes longer. */
export function loadClient() {
  return import("@kubernetes/client-node/dist/config.js");
}

/**
 * The options that client-node's KubeConfig makes for this user of this server, corrected where kubectl does otherwise
 * (docs/upstream.md). Each call makes another KubeConfig, because client-node caches an agent with the first certificates. A
 * UserError for an unknown proxy.
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
  const basic = auth ? { Authorization: `Basic ${Buffer.from(auth).toString("base64")}` } : {};
  return {
    headers: { ...basic, ...(options.headers as Record<string, string>) },
    /** Differs between two agents with different certificates. */
    certificates: JSON.stringify([ca, cert, key].map(String)),
    agent,
  };
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
    // client-node refuses plain http unless it may skip the verification.
    skipTLSVerify: cluster["insecure-skip-tls-verify"] === true || server.startsWith("http:"),
    ...(authority !== null && { caData: authority }),
    ...(name !== null && isIP(name) === 0 && { tlsServerName: name }),
    // kubectl lets every socks5 proxy look the server's name up.
    ...(proxy !== null && { proxyUrl: proxy.replace(/^socks5:/i, "socks5h:") }),
  };
}

/**
 * The TLS options that client-node does not set. Go trusts an authority that another has signed, and does not know
 * NODE_TLS_REJECT_UNAUTHORIZED. The program verifies an address in tls-server-name, but does not send it: SNI has only names
 * (RFC 6066). The context is made once, because an agent would parse all certificates for each connection.
 */
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

/** Certificates or a key in base64. kubectl prefers data to a file; client-node prefers the file, and names it in its error. */
export function contentOf(fields: Fields, field: string): string | null {
  const data = textOf(fields[`${field}-data`]);
  const file = textOf(fields[field]);
  return data ?? (file === null ? null : secretIn(file, field).toString("base64"));
}

/** Reads the file. Its name is not in the error, because the user may have written the secret itself there. */
export function secretIn(file: string, field: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`the file that ${field} names cannot be read (${systemCause(error)})`);
  }
}
