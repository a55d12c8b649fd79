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
  catchExists: (file: string) =>
    `There is a ${file} already, and catch overwrites nothing.\nPass another name to --output-file, or remove that file.`,
  badCatchFile: (file: string, cause: string) =>
    `Cannot write ${file}: ${sentence(cause)}\nPass another name to --output-file, or - for stdout.`,
  nothingToCatch: (pod: string) => `Pod ${quote(pod)} has no container to record.\nTry again when it has.`,
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

/** Wrong usage: what is wrong, then what to do, in one or two lines. The exit code is 2. */
const USAGES = {
  noPodNamed: () =>
    "Name a pod: kubectl backoff explain POD. Or pass a file with -f.\nSee kubectl backoff explain --help.",
  noNameForType: (word: string, type: string) =>
    `${quote(word)} is a type and needs a name: kubectl backoff explain ${type}/NAME.\nOr choose by labels with -l; a pod of that name is pod/${word}.`,
  unknownType: (word: string, types: readonly string[]) =>
    `There is no type ${quote(word)} that has pods to explain.\nPass ${orList(types)}, or a short name of kubectl's.`,
  impossibleName: (name: string, kind: string, because: string, nearest: string | null) =>
    `${quote(name)} cannot be the name of a ${kind}: ${sentence(because)}\n${
      nearest === null ? `Pass a name as kubectl get ${kind} prints it.` : `Did you mean ${nearest}?`
    }`,
  namesAndSelector: () =>
    "Names and a selector exclude each other.\nPass either names, or -l with an optional type before it.",
  namesInAllNamespaces: () =>
    "A name belongs to one namespace: it does not go with -A.\nPass -n with the namespace, or -l instead of the name.",
  severalPods: (pods: readonly string[]) =>
    pods.length === 0
      ? "There is no pod to take after.\nName another with --from."
      : `A simulation takes after one pod, and there are ${pods.length}.\nName one with --from: ${orList(pods)}.`,
  nothingToSimulate: (container: string) =>
    `${container} has not exited yet, and has no probe that could fail.\nPass --run or --liveness to say how it would run.`,
  badFlag: (flag: string, value: string, expected: string) =>
    `--${flag} ${quote(flag === "server" ? withoutLogin(value) : value)} will not do.\nPass ${expected}.`,
  notWithWatch: (flag: string) =>
    `--watch cannot go with ${flag}.\nIt watches a pod of a cluster, and prints it as a table or as json.`,
  notWithLogs: (output: string) =>
    `--logs cannot go with -o ${output}.\nLogs are part of table, wide, md, html, json and yaml.`,
  notWithWhatIf: (output: string, forms: readonly string[]) =>
    `--what-if cannot go with -o ${output}.\nPass ${orList(forms)}.`,
  reportsOnePod: (pods: number) =>
    `A report is of one pod, and this names ${pods === 0 ? "none" : pods}.\nName one: kubectl backoff explain POD --report FILE.`,
  watchesOnePod: (pods: number) =>
    `--watch takes one pod, and this names ${pods === 0 ? "none" : pods}.\nName one: kubectl backoff explain POD --watch.`,
  waitsForOnePod: (pods: number) =>
    `wait takes one pod, and this names ${pods === 0 ? "none" : pods}.\nName one: kubectl backoff wait POD --for=restart.`,
  catchesOnePod: (pods: number) =>
    `catch takes one pod, and this names ${pods === 0 ? "none" : pods}.\nName one: kubectl backoff catch POD.`,
  nobodyToImpersonate: () =>
    "A uid, groups or extras are to be impersonated, and no user.\nPass --as with the user who has them.",
  badOutput: (value: string, formats: readonly string[]) =>
    `There is no output format ${quote(value)}.\nPass ${orList(formats)}; for single values, pipe -o json into jq.`,
  exclusive: (flags: readonly string[]) => `${andList(flags)} exclude each other.\nPass one of them.`,
  notWithHerd: (flag: string) => `--${flag} cannot go with --herd.\nPass one of them.`,
  onlyWithHerd: (flag: string) => `--${flag} goes with --herd only.\nPass, for example, --herd 300.`,
  badChoice: (flag: string, value: string, choices: readonly string[]) =>
    `--${flag} ${quote(value)} will not do.\nPass ${orList(choices)}.`,
  unknownFlag: (flag: string, nearest: readonly string[], command: string) =>
    `There is no flag ${sentence(flag)}\n${nearest.length === 0 ? "" : `Did you mean ${orList(nearest)}? `}${seeHelp(command)}`,
  flagNeedsValue: (flag: string, choices: readonly string[], command: string) =>
    `--${flag} needs a value.\nPass ${valueList(flag, choices)}. ${seeHelp(command)}`,
  flagTwice: (flag: string) => `--${flag} is given more than once.\nPass it once.`,
  missingFlag: (flag: string, choices: readonly string[], command: string) =>
    `kubectl backoff ${command} needs --${flag}.\nPass ${valueList(flag, choices)}. ${seeHelp(command)}`,
  extraArguments: (words: readonly string[], usage: string) =>
    `${andList(words.map(quote))} ${words.length === 1 ? "is one argument" : "are arguments"} too many.\nUsage: ${usage}.`,
  unknownCommand: (word: string, nearest: string) =>
    `There is no command ${quote(word)}. Did you mean kubectl backoff ${nearest}?\nFor a pod of that name: kubectl backoff explain ${word}.`,
} as const;

function seeHelp(command: string): string {
  return `See kubectl backoff ${command} --help.`;
}

/** "--namespace NAME", or all the values that it can have. */
function valueList(flag: string, choices: readonly string[]): string {
  return choices.length > 1 ? orList(choices) : `--${flag} ${choices[0] ?? "VALUE"}`;
}

/** More names than a line takes are cut: the first few are the nearest or the most likely. */
const MOST_NAMES = 8;

/** "a, b or c". */
function orList(names: readonly string[]): string {
  return listed(names, "or");
}

/** "a, b and c". */
function andList(names: readonly string[]): string {
  return listed(names, "and");
}

function listed(names: readonly string[], conjunction: "and" | "or"): string {
  if (names.length > MOST_NAMES)
    return `${names.slice(0, MOST_NAMES).join(", ")} (and ${names.length - MOST_NAMES} more)`;
  const last = names.at(-1) ?? "nothing";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

/** As JSON has it. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** More of one name or message than this nobody reads. */
const MOST_LENGTH = 1_000;

/** What a terminal obeys, and what nobody can see; a file, a pod or a kind can be called so. Made when something is wrong. */
const unseen = (): RegExp =>
  /[[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\ufe0e\ufe0f]]/gv;

/** A name or a message as it can be printed: on one line, with question marks for what cannot be seen, as ls has it. */
export function printable(text: string): string {
  const line = text.replaceAll(/[\r\n\t\u2028\u2029]+/g, " ").replaceAll(unseen(), "?");
  const isLong = line.length > MOST_LENGTH;
  return (isLong ? `${line.slice(0, MOST_LENGTH / 2)}…${line.slice(-MOST_LENGTH / 2)}` : line).toWellFormed();
}

/** The same for whatever a message is made of. */
function printableValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(printableValue);
  return typeof value === "string" ? printable(value) : value;
}

/** One line that ends in a full stop, whatever the system or the server wrote; control characters could steer a terminal. */
export function sentence(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** An address without the name and the password that may be in it: nobody is to see those. */
function withoutLogin(address: string): string {
  return address.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, "$1");
}

/** The same for a text that is or has addresses with a scheme; anything else is left as it is. */
function withoutLogins(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const isAddress = /^https?:\/\//i.test(value);
  return isAddress ? withoutLogin(value) : value.replaceAll(/\b([a-z][a-z\d+.-]*:\/\/)\S*@/gi, "$1");
}

const CATALOGUE = { ...FAILURES, ...USAGES };

/** The name of a message in the catalogue. */
export type UserErrorCode = keyof typeof CATALOGUE;

/** Something that the user can put right: printed as it is, without a stack. Everything else that is thrown is a bug. */
export class UserError<Code extends UserErrorCode = UserErrorCode> extends Error {
  override readonly name = "UserError";
  readonly code: Code;
  /** 1: it failed; 2: wrong usage. */
  readonly exitCode: 1 | 2;
  /** The same as `message`, which oclif rewrites when it passes by. */
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
