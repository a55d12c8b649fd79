import type { Comparison } from "./run-case.ts";
import { isSame, tableOf } from "./table.ts";

const TITLES = ["Flags", "What a kubeconfig says", "Proxies of the environment"];

/** docs/kubectl-flags.md: what was compared, and what is different on purpose. */
export function documentOf(sections: readonly (readonly Comparison[])[], version: string): string {
  const all = sections.flat();
  const tables = sections.map((comparisons, index) => `## ${TITLES[index]}\n\n${tableOf(comparisons)}\n`);
  return `${INTRODUCTION}
${tables.join("\n")}
${all.length} cases with kubectl ${version}: ${all.filter(isSame).length} are the same.
`;
}

const INTRODUCTION = `# kubectl's global flags

Every command that talks to a cluster takes the flags of \`kubectl options\`, with kubectl's meaning, and reads the kubeconfig
as kubectl does. The tables below are what kubectl and \`kubectl backoff\` really sent to a server that writes it down: path,
namespace, \`Authorization\` and \`Impersonate-…\` headers, whether compression is accepted, the name in the TLS handshake, the
client's certificate, what a proxy was asked for, and how often a credential plugin ran. \`nothing\` means that both refuse,
or do not get through. They are written by

\`\`\`
node scripts/compare-kubectl.ts KUBECTL VERSION
\`\`\`

## Without effect

These are taken, so that a command line for kubectl can be used as it is, and do nothing: \`-v\`, \`--vmodule\`,
\`--log-flush-frequency\`, \`--profile\`, \`--profile-output\` (there is no log and no profile), \`--cache-dir\` (nothing is cached),
\`--kuberc\` (its aliases and defaults are for kubectl's own commands), \`--match-server-version\` (there is no version to match:
\`kubectl backoff version\` says which kubelets the model is for), \`--warnings-as-errors\` (warnings of the server are not shown).

## Different on purpose

- \`--request-timeout\` is 10s unless given; kubectl waits for ever. The limit is kept here and not sent to the server.
- Without a kubeconfig, a service account and \`--server\` there is an error; kubectl asks localhost:8080.
- A context whose user is not in the kubeconfig is an error; kubectl goes on without credentials.
- Without credentials the request is anonymous; kubectl asks for a name and a password.
- After a 401 credentials are got anew and the request is sent once again; kubectl renews them for the next request. A
  \`tokenFile\` is read, and a plugin run, at the first request and after a 401; kubectl reads the file every minute and runs the
  plugin at \`expirationTimestamp\`.
- A plugin without \`apiVersion\` or \`interactiveMode\` is run, as if it said IfAvailable; kubectl refuses it.
- In a pod, \`--as\` and the like go with the service account; kubectl passes over all but \`--server\`, \`--token\` and
  \`--certificate-authority\`.
- A kuberc's policy for credential plugins is not read.
- A token that an OIDC provider renews is not written back into the kubeconfig, and Google's and Azure's old providers work as
  @kubernetes/client-node has them.
- Plain http goes through a proxy with CONNECT too; kubectl sends the whole address instead. On the way to this machine no
  compression is asked for.
`;
