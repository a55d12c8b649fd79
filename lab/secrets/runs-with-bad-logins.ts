import { secretOf } from "./canary.ts";
import type { Lab } from "./lab.ts";
import type { PlannedRun } from "./planned-run.ts";
import { failing, ONE } from "./runs-that-fail.ts";
import { credential, oidc, plugin } from "./users.ts";

type Row = readonly [string, object, RegExp];

export function runsWithBadLogins(lab: Lab): PlannedRun[] {
  const once = [...badPlugins(lab), ...badFields(), ...badProviders(lab), ...badRenewals(lab)];
  return [
    ...once.flatMap(([what, user, says]) => failing(what, lab.kubeconfig(user), says, ONE)),
    ...brokenPlugins(lab).flatMap(([what, user, says]) => failing(what, lab.kubeconfig(user), says)),
  ];
}

function brokenPlugins(lab: Lab): Row[] {
  const garbage = secretOf("exec garbage");
  return [
    ["the plugin fails", plugin(lab, `echo ${garbage}; exit 3`), /failed \(exit code 3\)/],
    ["the plugin prints garbage", plugin(lab, `echo '{"a": ${garbage}'`), /did not print/],
  ];
}

function badPlugins(lab: Lab): Row[] {
  const garbage = secretOf("exec garbage");
  const printing = (status: object, version?: string): object =>
    plugin(lab, `cat '${answerFile(lab, status, version)}'`);
  const certificate = { clientCertificateData: garbage, clientKeyData: garbage };
  const env = [{ name: "A", value: `\0${secretOf("exec environment")}` }];
  return [
    ["the plugin's answer has no token", printing({ refresh: garbage }), /neither a token/],
    ["the plugin's answer is of another version", printing({}, garbage), /is to answer in/],
    ["the plugin's certificate is none", printing(certificate), /credentials of context/],
    ["the plugin's token is no header", printing({ token: `a\n${garbage}` }), /no token may have/],
    ["the plugin's expiry is no time", printing({ token: "a", expirationTimestamp: garbage }), /is no time/],
    ["the plugin is not there", plugin(lab, "", { command: "/there/is/none" }), /is not installed/],
    ["an argument that none can be", plugin(lab, "", { args: [`\0${secretOf("exec argument")}`] }), /does not start/],
    ["a variable that none can be", plugin(lab, "", { env }), /does not start/],
  ];
}

function answerFile(lab: Lab, status: object, version?: string): string {
  return lab.file("answer", version === undefined ? credential(status) : credential(status, version));
}

function badFields(): Row[] {
  const key = secretOf("client key");
  const certificate = { "client-certificate-data": "QUFB" };
  return [
    ["the token is no header", { token: `a\n${secretOf("token")}` }, /no token may have/],
    ["the token file is the token", { tokenFile: secretOf("token file") }, /tokenFile/],
    ["the key file is the key", { ...certificate, "client-key": key }, /client-key/],
    ["the key is none", { ...certificate, "client-key-data": key }, /credentials of context/],
    ["a token and a password", { token: secretOf("token"), password: secretOf("password") }, /also a name/],
  ];
}

function badProviders(lab: Lab): Row[] {
  const argument = { "cmd-path": "/there/is/none", "cmd-args": secretOf("provider argument") };
  const config = { ...argument, "access-token": secretOf("access token") };
  const withName = `https://me:${secretOf("password in the server's address")}@127.0.0.1:1`;
  return [
    ["the provider is not there", oidc(lab, "idp", { "idp-issuer-url": "https://127.0.0.1:1" }), /identity provider/],
    ["the provider's address has a password", oidc(lab, "idp", { "idp-issuer-url": withName }), /identity provider/],
    ["the provider's address is a secret", oidc(lab, "idp", { "idp-issuer-url": secretOf("id token") }), /idp-issuer/],
    ["the id token is none", oidc(lab, "idp", { "id-token": `.${secretOf("id token")}.` }), /is no JWT/],
    ["the id token has no date", oidc(lab, "idp", { "id-token": `a.${secretOf("id token")}.b` }), /is no JWT/],
    ["there is no refresh token", oidc(lab, "idp", { "refresh-token": "" }), /no refresh-token/],
    ["the authority is none", oidc(lab, "idp", authority(secretOf("client secret"))), /cannot verify who/],
    ["the authority's file is a secret", oidc(lab, "idp", authorityFile(secretOf("client secret"))), /cannot be read/],
    ["the authority is another's", oidc(lab, "idp", { "idp-certificate-authority-data": "" }), /cannot verify/],
    ["the provider is of a cloud", { "auth-provider": { name: "gcp", config } }, /gcp is gone/],
    ["the provider is of nobody", { "auth-provider": { name: "mine", config } }, /no auth-provider "mine"/],
  ];
}

function authority(data: string): object {
  return { "idp-certificate-authority-data": data };
}

function authorityFile(file: string): object {
  return { "idp-certificate-authority-data": "", "idp-certificate-authority": file };
}

function badRenewals(lab: Lab): Row[] {
  return [
    ["the provider refuses", oidc(lab, "idp-refuses"), /does not renew the token \(invalid_grant\)/],
    ["the provider says what it was sent", oidc(lab, "idp-echoes"), /does not renew the token \(HTTP status 400\)/],
    ["the provider prints garbage", oidc(lab, "idp-garbage"), /cannot be used/],
    ["the provider gives garbage", oidc(lab, "idp-opaque"), /cannot be used/],
    ["the provider sends elsewhere", oidc(lab, "idp-elsewhere"), /HTTP status 307/],
    ["the provider hangs up", oidc(lab, "idp-hangs-up"), /cannot be reached/],
  ];
}
