import { readFileSync } from "node:fs";
import http from "node:http";
import https, { type RequestOptions } from "node:https";
import tls from "node:tls";
import type { ChosenContext } from "./kubeconfig.ts";
import type { Fields } from "./kubeconfig-files.ts";
import { textOf } from "./untrusted.ts";

/**
 * What a context has by itself: certificates, a token, name and password; a plugin, a provider, a proxy and impersonation
 * are for others. With the precedence of kubectl: data before files (`CertificateAuthorityData` overrides `CertificateAuthority`,
 * client-go v0.37.1, tools/clientcmd/api/types.go), but a tokenFile before a token. Throws if a file cannot be read.
 */
export function plainCredentials({
  server,
  cluster,
  user,
}: Pick<ChosenContext, "server" | "cluster" | "user">): RequestOptions {
  const certificate = { ...entryOf("cert", user, "client-certificate"), ...entryOf("key", user, "client-key") };
  const agent = server.startsWith("http:") ? new http.Agent() : new https.Agent(tlsOptions(cluster, certificate));
  const username = textOf(user["username"]);
  const basic = username === null ? {} : { auth: `${username}:${textOf(user["password"]) ?? ""}` };
  return { ...certificate, ...basic, agent, headers: headersOf(user) };
}

/** The context is made here, once: the agent would read all certificates anew for each connection. */
function tlsOptions(cluster: Fields, certificate: tls.SecureContextOptions): https.AgentOptions {
  const servername = textOf(cluster["tls-server-name"]);
  return {
    secureContext: tls.createSecureContext({ ...certificate, ...entryOf("ca", cluster, "certificate-authority") }),
    ...(cluster["insecure-skip-tls-verify"] === true && { rejectUnauthorized: false }),
    ...(servername !== null && { servername }),
  };
}

/** The bytes of a certificate or key, under the name that Node has for them; nothing where there is none. */
function entryOf(name: "ca" | "cert" | "key", fields: Fields, field: string): Partial<Record<typeof name, Buffer>> {
  const data = textOf(fields[`${field}-data`]);
  if (data !== null) return { [name]: Buffer.from(data, "base64") };
  const file = textOf(fields[field]);
  return file === null ? {} : { [name]: readFileSync(file) };
}

function headersOf(user: Fields): Record<string, string> {
  const tokenFile = textOf(user["tokenFile"]);
  const token = tokenFile === null ? textOf(user["token"]) : readFileSync(tokenFile, "utf8");
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}
