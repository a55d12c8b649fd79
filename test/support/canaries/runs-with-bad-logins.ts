import { secretOf } from "./canary.ts";
import type { Lab } from "./lab.ts";
import type { PlannedRun } from "./planned-run.ts";
import { ASKING, failing } from "./runs-that-fail.ts";
import { CERTIFICATE } from "./tls.ts";
import { credential, oidc, plugin } from "./users.ts";

/** Who asks, in words; the user of the kubeconfig; what is said of it. */
type Row = readonly [string, object, RegExp];

const ONE = ASKING.slice(0, 1);

/** Runs of users whose credentials cannot be had or cannot be used. */
export function runsWithBadLogins(lab: Lab): PlannedRun[] {
  const once = [...badPlugins(lab), ...badFields(), ...badProviders(lab)];
  return [
    ...once.flatMap(([what, user, says]) => failing(what, lab.kubeconfig(user), says, ONE)),
    ...brokenPlugins(lab).flatMap(([what, user, says]) => failing(what, lab.kubeconfig(user), says)),
    ...badRenewals(lab),
  ];
}

/** These meet every command. */
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

/** What is in one field belongs into another, or into none. */
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
  const program = lab.file("provider", `#!/bin/sh\necho ${secretOf("provider garbage")}; exit $2\n`, 0o755);
  const running = (code: number): object => {
    const args = { "cmd-path": program, "cmd-args": `${secretOf("provider argument")} ${code}` };
    const config = { ...args, "token-key": "{.token}", "expiry-key": "{.expiry}" };
    return { "auth-provider": { name: "gcp", config } };
  };
  return [
    ["the provider is not there", oidc(lab, "idp", { "idp-issuer-url": "https://127.0.0.1:1" }), /oidc/],
    ["the id token is none", oidc(lab, "idp", { "id-token": `.${secretOf("id token")}.` }), /oidc/],
    ["the provider's program fails", running(1), /gcp/],
    ["the provider's program prints garbage", running(0), /gcp/],
  ];
}

/** Node trusts the provider only if it is told so when it starts. */
function badRenewals(lab: Lab): PlannedRun[] {
  const renewed = (what: string, how: string, says: RegExp): PlannedRun[] => {
    const user = oidc(lab, how, { "idp-certificate-authority-data": undefined });
    const [run] = failing(what, lab.kubeconfig(user), says, ONE);
    const env = { ...run?.env, NODE_EXTRA_CA_CERTS: CERTIFICATE.file };
    return run === undefined ? [] : [{ ...run, env, needsProcess: true }];
  };
  return [
    ...renewed("the provider refuses", "idp-refuses", /oidc gave no token \(invalid_grant\)/),
    ...renewed("the provider prints garbage", "idp-garbage", /oidc gave no token/),
  ];
}
