import { readFileSync } from "node:fs";
import http from "node:http";
import https, { type RequestOptions } from "node:https";
import type { ChosenContext } from "./kubeconfig.ts";
import type { Fields } from "./kubeconfig-files.ts";
import { isObject, textOf } from "./untrusted.ts";

/**
 * What a context asks for by itself: certificates, a token, name and password. Null where it takes a plugin, a provider or a
 * proxy. With the precedence of kubectl: data before files (`CertificateAuthorityData` overrides `CertificateAuthority`,
 * client-go v0.37.1, tools/clientcmd/api/types.go), but a tokenFile before a token. Throws if a file cannot be read.
 */
export function plainCredentials({ server, cluster, user }: ChosenContext): RequestOptions | null {
  if (isObject(user["exec"]) || isObject(user["auth-provider"]) || textOf(cluster["proxy-url"]) !== null) return null;
  const tls = tlsOptions(cluster, user);
  const agent = server.startsWith("http:") ? new http.Agent() : new https.Agent(tls);
  const username = textOf(user["username"]);
  const basic = username === null ? {} : { auth: `${username}:${textOf(user["password"]) ?? ""}` };
  return { ...tls, ...basic, agent, headers: headersOf(user) };
}

function tlsOptions(cluster: Fields, user: Fields): https.AgentOptions {
  const ca = bytesOf(cluster, "certificate-authority");
  const cert = bytesOf(user, "client-certificate");
  const key = bytesOf(user, "client-key");
  const servername = textOf(cluster["tls-server-name"]);
  return {
    ...(cluster["insecure-skip-tls-verify"] === true && { rejectUnauthorized: false }),
    ...(servername !== null && { servername }),
    ...(ca !== null && { ca }),
    ...(cert !== null && { cert }),
    ...(key !== null && { key }),
  };
}

function bytesOf(fields: Fields, key: string): Buffer | null {
  const data = textOf(fields[`${key}-data`]);
  if (data !== null) return Buffer.from(data, "base64");
  const file = textOf(fields[key]);
  return file === null ? null : readFileSync(file);
}

function headersOf(user: Fields): Record<string, string> {
  const tokenFile = textOf(user["tokenFile"]);
  const token = tokenFile === null ? textOf(user["token"]) : readFileSync(tokenFile, "utf8");
  const impersonated = textOf(user["as"]);
  return {
    ...(token !== null && { Authorization: `Bearer ${token}` }),
    ...(impersonated !== null && { "Impersonate-User": impersonated }),
  };
}
