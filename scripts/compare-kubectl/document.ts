import type { Comparison } from "./run-case.ts";
import { isSame, tableOf } from "./table.ts";

const TITLES = [
  "Flags",
  "What a kubeconfig says",
  "What an identity provider is asked",
  "Who is trusted",
  "Proxies of the environment",
  "In a pod",
];

/** docs/kubectl-flags.md: what was compared, and what is different on purpose. */
export function documentOf(sections: readonly (readonly Comparison[])[], version: string): string {
  const all = sections.flat();
  const tables = sections.map((comparisons, index) => `## ${TITLES[index]}\n\n${tableOf(comparisons)}\n`);
  return `${INTRODUCTION}
${tables.join("\n")}
${all.length} cases with kubectl ${version}. ${counts(all)}.
`;
}

/** "The same are 215 with the executable and 215 with the JavaScript file" */
function counts(all: readonly Comparison[]): string {
  const names = [...(all[0]?.deeds.keys() ?? [])];
  const count = (name: (typeof names)[number]): number => all.filter((comparison) => isSame(comparison, name)).length;
  return `The same are ${names.map((name) => `${count(name)} with ${name}`).join(" and ")}`;
}

const INTRODUCTION = `# kubectl's global flags

Every command that talks to a cluster takes the flags of \`kubectl options\`, with kubectl's meaning, and reads the kubeconfig
as kubectl does. The tables below are what kubectl and \`kubectl backoff\` really sent to a server that writes it down: path,
namespace, \`Authorization\` and \`Impersonate-…\` headers, whether compression is accepted, the name in the TLS handshake, the
client's certificate, what a proxy was asked for, how often a credential plugin ran, and what an identity provider was asked
for tokens with. \`nothing\` means that both refuse, or do not get through. They are written by

\`\`\`
node scripts/compare-kubectl.ts KUBECTL VERSION EXECUTABLE JAVASCRIPT_FILE
\`\`\`

## Without effect

These are taken, so that a command line for kubectl can be used as it is, and do nothing: \`-v\`, \`--vmodule\`,
\`--log-flush-frequency\`, \`--profile\`, \`--profile-output\` (there is no log and no profile), \`--cache-dir\` (nothing is cached),
\`--match-server-version\` (there is no version to match: \`kubectl backoff version\` says which kubelets the model is for),
\`--warnings-as-errors\` (warnings of the server are not shown).

## kuberc

What a kuberc (\`--kuberc\`, KUBERC, \`~/.kube/kuberc\`) says is for kubectl's own commands (kubectl v0.37.1, pkg/cmd/cmd.go and
pkg/kuberc; tried with kubectl v1.37.1 and a plugin that prints its arguments):

- kubectl reads it before it starts a plugin, also that of a \`--kuberc\` behind the plugin's name. With one that is named and
  cannot be read, or contradicts itself, kubectl ends there and no plugin starts.
- Defaults of flags, also those for \`backoff\`, do not reach a plugin: it gets its arguments as they were typed.
- An alias has to stand for a command that kubectl has: one for \`backoff\` fails with "command not found" when it is used.
- An alias that is called \`backoff\` hides the plugin; \`kubectl-backoff\` can still be called by itself.
- \`credentialPluginPolicy\` and \`credentialPluginAllowlist\` are not passed on. But who restricts which programs a kubeconfig
  may run means whatever reads it, so here they hold as in kubectl: with DenyAll no credential plugin runs, with Allowlist
  only those that are listed. A kuberc at its usual place that cannot be read is an error then; kubectl warns and goes on.

## Values

As with kubectl, the last one holds of a flag of \`kubectl options\` that is given several times, and a flag with an empty value
(\`-n "$UNSET"\`, also \`-c\`, \`-l\` and \`-o\`) is as good as none. Other flags may be given once.

## In a long run

For as long as \`-w\` or \`wait\` goes on, credentials are renewed as by client-go: a plugin runs again when its
\`expirationTimestamp\` has passed, and an id token is renewed 10 seconds before it expires, once for all requests that need
it; a \`tokenFile\` and files of certificates are read again every 50 seconds (client-go: 50 seconds and 5 minutes), and what
cannot be read then stays as it was.

## Certificate authorities

Where a kubeconfig names a certificate-authority, a server's certificate has to be from that one, and the system's are not even
read. Where it names none, and for an identity provider without idp-certificate-authority, these are trusted:

- on Linux with SSL_CERT_FILE or SSL_CERT_DIR the authorities in that file and in those folders, as by kubectl; a variable that is
  not set stands for the usual folders (Go 1.26, src/crypto/x509/root_linux.go). Without both, the system's store as Node or Bun
  finds it (\`tls.getCACertificates("system")\`): so a company's authority that is installed there is trusted;
- on macOS and Windows the system's store and the authorities that come with Node. Go asks the system itself, which may also
  distrust one of the latter.

The authorities in the file that NODE_EXTRA_CA_CERTS names are trusted too. On a Linux without any store, such as a slim container,
kubectl trusts no server; this program then trusts the authorities that come with Node.

## Identity providers

An id token of \`auth-provider: oidc\` is used until 10 seconds before it expires. Then a new one is got with the request that
kubectl sends: see the table. The old providers gcp and azure are refused, as by kubectl. Different on purpose:

- **Nothing is written back into the kubeconfig.** kubectl writes the new id token, and the new refresh token if there is one;
  here both are forgotten at the end, so that each run asks the provider anew until kubectl has renewed. With a provider that
  rotates refresh tokens (Dex does, Keycloak if told so) each is good for one use: after a renewal here the one in the
  kubeconfig is used up, and kubectl has to log in again. So let kubectl renew first, as with \`kubectl auth whoami\`: for as
  long as the id token lasts, nothing is renewed here. A long run keeps what it is given, and goes on.
- A completion (TAB) renews no expired token: it then finds nothing.
- A redirect of the provider is not followed; kubectl follows it, also with secrets to another host. Where there was no answer,
  secrets are not sent again.
- The new id token has to be of the issuer that the provider's metadata names, and for the client id; kubectl leaves that to the
  API server. So a provider whose metadata has a template for the issuer cannot renew tokens here.
- An answer is read as JSON, up to 1 MiB; kubectl also takes a form. The program waits 30 seconds for it unless
  \`--request-timeout\` says otherwise.

## Different on purpose

- \`--request-timeout\` is 10s unless given; kubectl waits for ever. The limit is kept here and not sent to the server.
- A GET that is lost is sent again up to five times, one that is answered 429 or 5xx with Retry-After up to ten, all within one
  \`--request-timeout\`. A credential plugin has as long, if the flag is given, and else five minutes; kubectl waits for ever.
- Without a kubeconfig, a service account and \`--server\` there is an error; kubectl asks localhost:8080.
- A context whose user is not in the kubeconfig is an error; kubectl goes on without credentials.
- Without credentials the request is anonymous; kubectl asks for a name and a password.
- After a 401 credentials are got anew and the request is sent once again; kubectl renews them for the next request.
- Names that nothing can have (\`Web_0\`) are refused before the server is asked.
- A plugin without \`apiVersion\` or \`interactiveMode\` is run, as if it said IfAvailable; kubectl refuses it.
- In a pod, \`--as\` and the like go with the service account; with them kubectl leaves it aside and asks localhost:8080.
- On Windows a plugin that is a .cmd or .bat file is not started; kubectl starts it.
- Plain http goes through a proxy with CONNECT too; kubectl sends the whole address instead. On the way to this machine no
  compression is asked for.
`;
