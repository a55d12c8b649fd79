import { CERTIFICATE, KEY } from "../../test/support/tls-fixtures.ts";
import { secretOf } from "./canary.ts";
import { plantedToken } from "./difficult-server.ts";
import type { Lab } from "./lab.ts";

const EXEC_VERSION = "client.authentication.k8s.io/v1";

export function users(lab: Lab): Record<string, object> {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return {
    "a token": { token: secretOf("token") },
    "a token file": { tokenFile: lab.file("token", `${secretOf("token file")}\n`) },
    "a name and a password": { username: "me", password: secretOf("password") },
    "a certificate": { "client-certificate-data": base64(CERTIFICATE.pem), "client-key-data": base64(KEY.pem) },
    "a certificate in files": { "client-certificate": CERTIFICATE.file, "client-key": KEY.file },
    "a plugin": plugin(lab, `echo '${credential({ token: secretOf("exec token") })}'`),
    "an id token": oidc(lab, "idp", { "id-token": plantedToken(`${lab.difficult.url}/idp`, "renewed id token") }),
    "an id token that is renewed": oidc(lab, "idp"),
  };
}

export function credential(status: object, apiVersion = EXEC_VERSION): string {
  return JSON.stringify({ apiVersion, kind: "ExecCredential", status });
}

export function plugin(lab: Lab, script: string, more: object = {}): object {
  const command = lab.file("plugin", `#!/bin/sh\n${script}\n`, 0o755);
  const env = [{ name: "PLUGIN_SECRET", value: secretOf("exec environment") }];
  const exec = { apiVersion: EXEC_VERSION, command, args: [secretOf("exec argument")], env, provideClusterInfo: true };
  return { exec: { ...exec, interactiveMode: "Never", ...more } };
}

/** By default, the id token has expired. `how` is the first part of the provider's path on the difficult server. */
export function oidc(lab: Lab, how: string, more: object = {}): object {
  const issuer = `${lab.difficult.url}/${how}`;
  const config = {
    ...{ "idp-issuer-url": issuer, "client-id": "client", "client-secret": secretOf("client secret") },
    ...{ "id-token": plantedToken(issuer, "id token"), "refresh-token": secretOf("refresh token") },
    "idp-certificate-authority-data": Buffer.from(CERTIFICATE.pem).toString("base64"),
  };
  return { "auth-provider": { name: "oidc", config: { ...config, ...more } } };
}
