import { andList, orList, quote, sentence, withoutLogin } from "./error-words.ts";

/** Wrong usage: what is wrong, then what to do, in one or two lines. The exit code is 2. */
export const USAGES = {
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
    `--logs cannot go with -o ${output}.\nLogs are shown in table and wide, and are part of json and yaml.`,
  notWithWhatIf: (output: string, forms: readonly string[]) =>
    `--what-if cannot go with -o ${output}.\nPass ${orList(forms)}.`,
  reportsOnePod: (pods: number) =>
    `A report is of one pod, and this names ${pods === 0 ? "none" : pods}.\nName one: kubectl backoff explain POD --report FILE.`,
  watchesOnePod: (pods: number) =>
    `--watch takes one pod, and this names ${pods === 0 ? "none" : pods}.\nName one: kubectl backoff explain POD --watch.`,
  waitsForOnePod: (pods: number) =>
    `wait takes one pod, and this names ${pods === 0 ? "none" : pods}.\nName one: kubectl backoff wait POD --for=restart.`,
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
