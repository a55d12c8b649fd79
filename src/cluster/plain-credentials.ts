import { readFileSync } from "node:fs";
import http from "node:http";
import https, { type RequestOptions } from "node:https";
import tls from "node:tls";
import { systemCause } from "./input-bytes.ts";
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
  const trusted = entryOf("ca", cluster, "certificate-authority");
  const isPlain = server.startsWith("http:");
  const agent = isPlain ? new http.Agent() : new https.Agent(tlsOptions(cluster, { ...certificate, ...trusted }));
  const username = textOf(user["username"]);
  const basic = username === null ? loginIn(server) : { auth: `${username}:${textOf(user["password"]) ?? ""}` };
  return { ...certificate, ...trusted, ...basic, agent, headers: headersOf(user) };
}

/** The context is made here, once: the agent would read all certificates anew for each connection. */
function tlsOptions(cluster: Fields, certificates: tls.SecureContextOptions): https.AgentOptions {
  const servername = textOf(cluster["tls-server-name"]);
  return {
    secureContext: tls.createSecureContext(certificates),
    ...(cluster["insecure-skip-tls-verify"] === true && { rejectUnauthorized: false }),
    ...(servername !== null && { servername }),
  };
}

/** The bytes of a certificate or key, under the name that Node has for them; nothing where there is none. */
function entryOf(name: "ca" | "cert" | "key", fields: Fields, field: string): Partial<Record<typeof name, Buffer>> {
  const data = textOf(fields[`${field}-data`]);
  if (data !== null) return { [name]: Buffer.from(data, "base64") };
  const file = textOf(fields[field]);
  return file === null ? {} : { [name]: name === "key" ? secretIn(file, field) : readFileSync(file) };
}

/** The file's name is not told: the secret itself may stand in its place. */
function secretIn(file: string, field: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`the file that ${field} names cannot be read (${systemCause(error)})`);
  }
}

/** The name and the password in an address, which count where nothing else is given. */
function loginIn(server: string): { auth?: string } {
  const { username, password } = new URL(server);
  return username === "" ? {} : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` };
}

function headersOf(user: Fields): Record<string, string> {
  const [file, own] = [textOf(user["tokenFile"]), textOf(user["token"])];
  const token = file === null ? own : tokenIn(file, own);
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

/** Mirrors `bearerAuthRoundTripper` (client-go v0.37.1, transport/round_trippers.go): the file's, else the token beside it. */
function tokenIn(file: string, otherwise: string | null): string {
  try {
    const token = secretIn(file, "tokenFile").toString("utf8").trim();
    if (token === "") throw new Error("the file that tokenFile names should hold a token, and is empty");
    return token;
  } catch (error) {
    if (otherwise === null) throw error;
    return otherwise;
  }
}
