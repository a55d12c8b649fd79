import { readFileSync } from "node:fs";
import type { SecureContextOptions } from "node:tls";
import { systemCause } from "./input-bytes.ts";
import type { ChosenContext } from "./kubeconfig.ts";
import type { Fields } from "./kubeconfig-files.ts";
import { textOf } from "./untrusted.ts";

/** Who somebody is, and whom to trust. */
export interface PlainCredentials {
  readonly certificates: SecureContextOptions;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What a context has by itself: certificates, a token, name and password; a plugin, a provider, a proxy and impersonation
 * are for others. With the precedence of kubectl: data before files (`CertificateAuthorityData` overrides `CertificateAuthority`,
 * client-go v0.37.1, tools/clientcmd/api/types.go), but a tokenFile before a token. Throws if a file cannot be read.
 */
export function plainCredentials({
  server,
  cluster,
  user,
}: Pick<ChosenContext, "server" | "cluster" | "user">): PlainCredentials {
  const certificate = { ...entryOf("cert", user, "client-certificate"), ...entryOf("key", user, "client-key") };
  const trusted = entryOf("ca", cluster, "certificate-authority");
  return {
    certificates: { ...certificate, ...trusted },
    headers: { ...basicHeader(server, user), ...tokenHeader(user) },
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

/** Name and password: the user's, else those in the address. */
function basicHeader(server: string, user: Fields): Record<string, string> {
  const { username, password } = new URL(server);
  const own = textOf(user["username"]);
  if (own !== null) return basicOf(own, textOf(user["password"]) ?? "");
  return username === "" ? {} : basicOf(decodeURIComponent(username), decodeURIComponent(password));
}

function basicOf(username: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}

function tokenHeader(user: Fields): Record<string, string> {
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
