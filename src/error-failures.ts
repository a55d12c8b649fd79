import { andList, orList, quote, sentence, withoutLogin } from "./error-words.ts";

/** What a user can act on: what is wrong, then what to do, in one or two lines. The exit code is 1. */
export const FAILURES = {
  podNotFound: (pod: string, namespace: string, nearest: readonly string[]) =>
    `Pod ${quote(pod)} not found in namespace ${quote(namespace)}.\n${lookElsewhere(nearest)}`,
  workloadNotFound: (type: string, name: string, namespace: string, nearest: readonly string[]) =>
    `There is no ${type} ${quote(name)} in namespace ${quote(namespace)}.\n${lookElsewhere(nearest)}`,
  noSuchContainer: (container: string, pod: string, containers: readonly string[]) =>
    `Pod ${quote(pod)} has no container ${quote(container)}.\n` +
    (containers.length === 0 ? "No container of it is known." : `Pass -c with ${orList(containers)}.`),
  noSuchExample: (example: string) =>
    `There is no example ${quote(example)}.\nkubectl backoff demo --list names all of them.`,

  cannotHappen: (pod: string, goal: string, because: string) => `pod/${pod} ${goal} any more: ${sentence(because)}`,

  forbidden: (message: string) =>
    `The API server forbids it: ${sentence(message)}\nAsk for that right, or pass --context to connect as somebody else.`,
  unauthorized: (server: string) =>
    `${server} does not accept your credentials (401 Unauthorized).\nLog in again, or pass another --context.`,
  unreachable: (server: string, cause: string) =>
    `Cannot reach the API server ${server}: ${sentence(cause)}\nCheck the network, or pass another --context.`,
  untrusted: (server: string, cause: string) =>
    `Cannot verify who ${server} is: ${sentence(cause)}\n` +
    "Check the cluster's address and certificate-authority in the kubeconfig (without one, those of this system are trusted), and this machine's clock.",
  timeout: (server: string, timeoutMs: number) =>
    `No answer from the API server ${server} within ${timeoutMs / 1000}s.\nTry again, or pass a longer --request-timeout.`,
  serverError: (server: string, status: number, message: string) =>
    `${server} answered ${status}: ${sentence(message)}\nTry again; if it stays, look into the API server's log.`,
  badAnswer: (server: string, cause: string) =>
    `Cannot read the answer of ${server}: ${sentence(cause)}\nCheck that it is a Kubernetes API server.`,

  cannotPrint: (cause: string) => `Cannot write the output: ${sentence(cause)}\nMake room there, or send it elsewhere.`,

  noKubeconfig: (places: readonly string[]) =>
    `There is no kubeconfig that names a cluster to ask${places.length === 0 ? "" : `, in ${andList(places)}`}.\n` +
    "Set KUBECONFIG, pass --kubeconfig, or explain a file with -f; `kubectl backoff demo` needs neither.",
  badKubeconfig: (file: string, cause: string) =>
    `Cannot read the kubeconfig ${file}: ${sentence(cause)}\nCorrect the file, or pass another with --kubeconfig.`,
  noCurrentContext: (contexts: readonly string[]) =>
    `The kubeconfig has no current context.\nPass --context with ${orList(contexts)}.`,
  unknownContext: (context: string, contexts: readonly string[]) =>
    `The kubeconfig has no context ${quote(context)}.\n${passEntry("context", contexts)}`,
  brokenContext: (context: string, kind: "cluster" | "user", name: string) =>
    `Context ${quote(context)} names the ${kind} ${quote(name)}, which the kubeconfig does not have.\n` +
    "Correct the kubeconfig, or pass another --context.",
  unknownEntry: (kind: "cluster" | "user", name: string, names: readonly string[]) =>
    `The kubeconfig has no ${kind} ${quote(name)}.\n${passEntry(kind, names)}`,
  badProxy: (proxy: string) =>
    `The proxy ${quote(withoutLogin(proxy))} is no http, https or socks5 address.\nCorrect --proxy-url, the kubeconfig's proxy-url, or HTTPS_PROXY.`,
  badServer: (context: string, server: string) =>
    `The server of context ${quote(context)} is ${quote(withoutLogin(server))}, which is no http or https address.\n` +
    "Correct the kubeconfig, or pass another --context.",
  badCredentials: (context: string, cause: string) =>
    `Cannot get the credentials of context ${quote(context)}: ${sentence(cause)}\n` +
    "Correct the kubeconfig, log in again, or pass another --context.",

  reportExists: (file: string) =>
    `There is a ${file} already, and a report overwrites nothing.\nPass another name to --report, or remove that file.`,
  badReport: (file: string, cause: string) =>
    `Cannot write the report ${file}: ${sentence(cause)}\nPass another name to --report, or - for stdout.`,
  severalReports: (reports: number) =>
    `There are ${reports} reports in the input, each of a moment of its own.\nPass one of them.`,

  badInput: (input: string, cause: string) =>
    `Cannot read ${input || quote(input)}: ${sentence(cause)}\nPass files that kubectl printed.`,
  noPodInInput: (inputs: readonly string[]) =>
    `There is no Pod in ${andList(inputs.map((input) => (input === "-" ? "standard input" : input)))}.\nPass the output of \`kubectl get pod NAME -o json\`, with events and node if you have them.`,
  podNotInInput: (pod: string, pods: readonly string[]) =>
    `There is no pod ${quote(pod)} in the input.\nThe input has ${andList(pods)}.`,
  workloadNotInInput: (type: string, name: string, owners: readonly string[]) =>
    `No pod in the input belongs to the ${type} ${quote(name)}.\n${
      owners.length === 0 ? "None of them belongs to any." : `There are pods of ${andList(owners)}.`
    }`,
} as const;

function lookElsewhere(nearest: readonly string[]): string {
  return `${nearest.length === 0 ? "" : `Did you mean ${orList(nearest)}? `}Pass -n to look elsewhere.`;
}

function passEntry(flag: string, names: readonly string[]): string {
  return names.length === 0
    ? "It has none at all: pass another --kubeconfig."
    : `Pass --${flag} with ${orList(names)}.`;
}
