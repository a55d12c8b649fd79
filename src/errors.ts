/** Errors with exit code 1. */
const FAILURES = {
  podNotFound: (pod: string, namespace: string, nearest: readonly string[]) =>
    `Pod ${quote(pod)} not found in namespace ${quote(namespace)}.\n${suggestion(nearest)}Pass -n to look elsewhere.`,
  workloadNotFound: (type: string, name: string, namespace: string, nearest: readonly string[]) =>
    `There is no ${type} ${quote(name)} in namespace ${quote(namespace)}.\n${suggestion(nearest)}Pass -n to look elsewhere.`,
  noSuchContainer: (container: string, pod: string, containers: readonly string[]) =>
    `Pod ${quote(pod)} has no container ${quote(container)}.\n` +
    (containers.length === 0 ? "No container of it is known." : `Pass -c with ${orList(containers)}.`),
  cannotHappen: (pod: string, goal: string, because: string) => `pod/${pod} ${goal} any more: ${sentence(because)}`,

  forbidden: (message: string) =>
    `Forbidden: ${sentence(message)}\nAsk an admin for that permission, or switch --context.`,
  unauthorized: (server: string) =>
    `${server} does not accept your credentials (401 Unauthorized).\nLog in again, or pass another --context.`,
  unreachable: (server: string, cause: string) =>
    `Can't reach the API server ${server}: ${sentence(cause)}\nCheck the network, or pass another --context.`,
  untrusted: (server: string, cause: string) =>
    `Can't verify the certificate of ${server}: ${sentence(cause)}\n` +
    "Check the cluster's address and certificate-authority in the kubeconfig (without one, those of this system are trusted), and this machine's clock.",
  timeout: (server: string, timeoutMs: number) =>
    `No answer from the API server ${server} within ${timeoutMs / 1000}s.\nTry again, or pass a longer --request-timeout.`,
  serverError: (server: string, status: number, message: string) =>
    `${server} answered ${status}: ${sentence(message)}\nTry again; if it stays, look into the API server's log.`,
  badAnswer: (server: string, cause: string) =>
    `Can't read the answer of ${server}: ${sentence(cause)}\nCheck that it is a Kubernetes API server.`,
  cannotPrint: (cause: string) => `Can't write the output: ${sentence(cause)}\nFree some space or write elsewhere.`,
  outputClosed: () => "Can't write the output: stdout is closed.\nSend it to a file, or to /dev/null.",

  noKubeconfig: (places: readonly string[]) =>
    `No cluster configured${places.length === 0 ? "" : ` (looked in ${andList(places)})`}.\n` +
    "Set KUBECONFIG or pass --kubeconfig. `demo` and -f FILE need no cluster.",
  badKubeconfig: (file: string, cause: string) =>
    `Can't read the kubeconfig ${file}: ${sentence(cause)}\nCorrect the file, or pass another with --kubeconfig.`,
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
    `The proxy ${quote(withoutLogin(proxy))} is not an http, https or socks5 URL.\nCorrect --proxy-url, the kubeconfig's proxy-url, or HTTPS_PROXY.`,
  badServer: (context: string, server: string) =>
    `The server of context ${quote(context)} is ${quote(withoutLogin(server))}, which is not an http(s) URL.\n` +
    "Correct the kubeconfig, or pass another --context.",
  badCredentials: (context: string, cause: string) =>
    `Can't get the credentials of context ${quote(context)}: ${sentence(cause)}\n` +
    "Correct the kubeconfig, log in again, or pass another --context.",

  fileExists: (flag: string, file: string) =>
    `${file} already exists; --${flag} never overwrites a file.\nPass another name to --${flag}, or remove that file.`,
  badFile: (flag: string, file: string, cause: string) =>
    `Can't write ${file}: ${sentence(cause)}\nPass another name to --${flag}, or - for stdout.`,
  nothingToCatch: (pod: string) => `Pod ${quote(pod)} has no container to record.\nTry again when it has one.`,
  severalReports: (reports: number) => `The input has ${reports} reports.\nPass one.`,

  badInput: (input: string, cause: string) =>
    `Can't read ${input || quote(input)}: ${sentence(cause)}\nPass what kubectl printed with -o yaml or -o json.`,
  textForPeople: (input: string, command: string) =>
    `Can't read ${input}: it is the text of kubectl ${command}, made for people.\nSave the pod with -o yaml or -o json, and pass that: kubectl get pod NAME -o yaml > pod.yaml.`,
  noPodInInput: (inputs: readonly string[]) =>
    `There is no Pod in ${andList(inputs.map((input) => (input === "-" ? "standard input" : input)))}.\nPass the output of \`kubectl get pod NAME -o json\`, with events and node if you have them.`,
  namespaceNotInInput: (namespace: string, pods: readonly string[]) =>
    `There is no pod of namespace ${quote(namespace)} in the input.\nThe input has ${andList(pods)}.`,
  atBeforePods: (at: string, first: string) =>
    `None of the pods existed at ${at} (--at): the oldest is of ${first}.\nPass a later time with --at.`,
  podNotInInput: (pod: string, pods: readonly string[]) =>
    `There is no pod ${quote(pod)} in the input.\nThe input has ${andList(pods)}.`,
  workloadNotInInput: (type: string, name: string, owners: readonly string[]) =>
    `No pod in the input belongs to the ${type} ${quote(name)}.\n${
      owners.length === 0 ? "None of them belongs to any." : `There are pods of ${andList(owners)}.`
    }`,
} as const;

function suggestion(nearest: readonly string[]): string {
  return nearest.length === 0 ? "" : `Did you mean ${orList(nearest)}? `;
}

function passEntry(flag: string, names: readonly string[]): string {
  return names.length === 0
    ? "It has none at all: pass another --kubeconfig."
    : `Available: ${orList(names)}. Pass one with --${flag}.`;
}

/** Errors in how the user called the program, with exit code 2. */
const USAGES = {
  noPodNamed: () =>
    "Name a pod: kubectl backoff explain POD. Or pass labels with -l, or a file with -f.\nFor everything that is down: kubectl backoff list (-A for all namespaces).",
  noNameForType: (word: string, type: string) =>
    `${quote(word)} is a type and needs a name: ${type}/NAME.\nFor everything that is down: kubectl backoff list; a pod of that name is pod/${word}.`,
  fileWithoutFlag: (word: string, command: string | null) =>
    `${quote(word)} is the name of a file, not of a pod.\nDid you mean ${command === null ? "" : `${command} `}-f ${word}?`,
  unknownType: (word: string, types: readonly string[]) =>
    `Can't explain type ${quote(word)}.\nUse ${orList(types)}, or a short name of kubectl's.`,
  impossibleName: (name: string, kind: string, because: string, nearest: string | null) =>
    `${quote(name)} cannot be the name of a ${kind}: ${sentence(because)}\n${
      nearest === null ? `Pass a name as kubectl get ${kind} prints it.` : `Did you mean ${nearest}?`
    }`,
  namesAndSelector: () => "Use either names or -l, not both.\nBefore -l there can be a type.",
  namesInAllNamespaces: () =>
    "A name can't be combined with -A.\nPass -n with the namespace, or -l instead of the name.",
  severalPods: (pods: readonly string[]) =>
    pods.length === 0
      ? "No pod to simulate.\nName another."
      : `simulate imitates exactly one pod; this matches ${pods.length}.\nName one: ${orList(pods)}.`,
  containerOfNoPod: () => "-c needs a pod.\nName it: kubectl backoff simulate POD -c NAME.",
  nothingToSimulate: (container: string) =>
    `${container} has not exited yet, and has no probe that could fail.\nPass --run or --liveness to say how it would run.`,
  noSuchExample: (example: string, nearest: readonly string[]) =>
    `There is no example ${quote(example)}.\n${suggestion(nearest)}kubectl backoff demo --list names all of them.`,
  badFlag: (flag: string, value: string, expected: string) =>
    `Invalid value ${quote(flag === "server" ? withoutLogin(value) : value)} for --${flag}.\nPass ${expected}.`,
  notWithWatch: (flag: string) =>
    `--watch can't be combined with ${flag}.\nA watch follows a cluster, and prints a table or json.`,
  notWithLogs: (output: string, forms: readonly string[]) =>
    `--logs can't be combined with -o ${output}.\nLogs are part of ${andList(forms)}.`,
  needsOnePod: (what: string, pods: number, command: string) =>
    `${what} needs exactly one pod; this matches ${pods === 0 ? "none" : pods}.\nName one: kubectl backoff ${command}.`,
  nobodyToImpersonate: () =>
    "--as-uid, --as-group and --as-user-extra need --as.\nPass --as with the user who has them.",
  badOutput: (value: string, formats: readonly string[]) =>
    `There is no output format ${quote(value)}.\nPass ${orList(formats)}; for single values, pipe -o json into jq.`,
  exclusive: (flags: readonly string[]) => `Use either ${orList(flags)}.\nThey can't be combined.`,
  unknownFlag: (flag: string, nearest: readonly string[], command: string) =>
    `Unknown flag: ${flag}\n${suggestion(nearest)}${seeHelp(command)}`,
  flagOfMany: (flag: string, command: string) =>
    `Unknown flag: ${flag}\nkubectl backoff ${command} takes one pod. To follow many until they are up: kubectl backoff eta -w -l SELECTOR, or -A.`,
  flagNeedsValue: (flag: string, choices: readonly string[], command: string) =>
    `--${flag} needs a value.\nPass ${valueList(flag, choices)}. ${seeHelp(command)}`,
  flagTwice: (flag: string) => `--${flag} is given more than once.\nPass it once.`,
  missingFlag: (flag: string, choices: readonly string[], command: string) =>
    `kubectl backoff ${command} needs --${flag}.\nPass ${valueList(flag, choices)}. ${seeHelp(command)}`,
  extraArguments: (words: readonly string[], command: string, usage: string) =>
    `Unexpected ${words.length === 1 ? "argument" : "arguments"} ${andList(words.map(quote))}.\n` +
    `${command === "list" ? `To explain a pod: kubectl backoff explain ${words[0]}. ` : ""}Usage: ${usage}.`,
  verbOfKubectl: (verb: string, better: string) =>
    `kubectl backoff has no command ${quote(verb)}.\nUse ${better}; for a pod of that name: kubectl backoff explain ${verb}.`,
  noHelpFor: (word: string, nearest: readonly string[]) =>
    `There is no command ${quote(word)}.\n${suggestion(nearest)}kubectl backoff --help names all of them.`,
  unknownCommand: (word: string, nearest: string) =>
    `There is no command ${quote(word)}. Did you mean kubectl backoff ${nearest}?\nFor a pod of that name: kubectl backoff explain ${word}.`,
} as const;

function seeHelp(command: string): string {
  return `See kubectl backoff ${command} --help.`;
}

function valueList(flag: string, choices: readonly string[]): string {
  return choices.length > 1 ? orList(choices) : `--${flag} ${choices[0] ?? "VALUE"}`;
}

export const orList = (names: readonly string[]): string => listed(names, "or");
export const andList = (names: readonly string[]): string => listed(names, "and");
const MOST_NAMES = 8;

function listed(names: readonly string[], conjunction: "and" | "or"): string {
  if (names.length > MOST_NAMES)
    return `${names.slice(0, MOST_NAMES).join(", ")} (and ${names.length - MOST_NAMES} more)`;
  const last = names.at(-1) ?? "nothing";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}

const MOST_CHARACTERS = 1_000;

/** Returns one line without control characters, bidirectional controls and most invisible characters. */
export function printable(text: string): string {
  // Made only when needed, because making this pattern takes time.
  const unprintable = /[[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\ufe0e\ufe0f]]/gv;
  const line = text.replaceAll(/[\r\n\t\u2028\u2029]+/g, " ").replaceAll(unprintable, "?");
  const isLong = line.length > MOST_CHARACTERS;
  return (isLong ? `${line.slice(0, MOST_CHARACTERS / 2)}…${line.slice(-MOST_CHARACTERS / 2)}` : line).toWellFormed();
}

function printableValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(printableValue);
  return typeof value === "string" ? printable(value) : value;
}

export function sentence(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

export function withoutLogin(address: string): string {
  return address.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, "$1");
}

function withoutLogins(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const isAddress = /^https?:\/\//i.test(value);
  return isAddress ? withoutLogin(value) : value.replaceAll(/\b([a-z][a-z\d+.-]*:\/\/)\S*@/gi, "$1");
}

const CATALOGUE = { ...FAILURES, ...USAGES };

type UserErrorCode = keyof typeof CATALOGUE;

/** An error whose `text` is printed without a stack. */
export class UserError<Code extends UserErrorCode = UserErrorCode> extends Error {
  override readonly name = "UserError";
  readonly code: Code;
  readonly exitCode: 1 | 2;
  /** oclif's parser can change `message`. */
  readonly text: string;

  constructor(code: Code, ...values: Parameters<(typeof CATALOGUE)[Code]>) {
    const compose = CATALOGUE[code] as (...values: readonly unknown[]) => string;
    const text = compose(...values.map(withoutLogins).map(printableValue));
    super(text);
    this.code = code;
    this.exitCode = code in USAGES ? 2 : 1;
    this.text = text;
  }
}
