import { kindOfWord, TARGET_KINDS, type TargetKind } from "../../cluster/objects/workload-kinds.ts";
import type { TableName } from "../../cluster/pods/completion-names.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import { MODELED_MINORS } from "../../kubelet/versions.ts";
import { CONTENDERS } from "../../simulate/contention.ts";
import { type Candidate, type Completion, DIRECTIVES, FILES, inOrder, plain } from "./candidates.ts";
import type { CommandTable, FlagEntry } from "./command-table.ts";
import { flagsOf } from "./line.ts";
import { containersInCluster, filesOfLine, namesInCluster, namesInKubeconfig, type Question } from "./look-up.ts";

const HELP_COMMAND: Candidate = { text: "help", description: "Help about any command" };

type Complete = (question: Question) => Promise<void>;

const WORDS: Readonly<Record<string, Complete>> = {
  catch: (question) => completeTargets(question, "one"),
  demo: completeExample,
  eta: (question) => completeTargets(question, "several"),
  explain: (question) => completeTargets(question, "several"),
  help: async ({ words, table, onFound }) => {
    if (words.length === 0) onFound({ candidates: commandsIn(table), directive: DIRECTIVES.noFiles });
  },
  simulate: (question) => completeTargets(question, "one"),
  wait: (question) => completeTargets(question, "one"),
};

export async function answerTo(question: Question): Promise<void> {
  const { completing, command, words } = question;
  if (typeof completing === "object") await completeValue(question, completing);
  else if (completing === "flag") completeFlag(question);
  else if (command !== null) await WORDS[command]?.(question);
  else if (words.length > 0) await completeTargets(question, "several");
  else await completeFirstWord(question);
}

async function completeFirstWord(question: Question): Promise<void> {
  const { flags, text, table, onFound } = question;
  const commands = [...commandsIn(table), HELP_COMMAND].filter((command) => command.text.startsWith(text));
  onFound({ candidates: commands, directive: DIRECTIVES.noFiles });
  if (text === "" && flags.size === 0) return;
  const withCommands: Question["onFound"] = ({ candidates, directive }) => {
    // If a command is among the candidates, the shell must add a blank after the word that it completes.
    const withSpace = commands.length === 0 ? directive : directive & ~DIRECTIVES.noSpace;
    onFound({ candidates: [...commands, ...candidates], directive: withSpace });
  };
  await completeTargets({ ...question, onFound: withCommands }, "several");
}

async function completeExample({ words, onFound }: Question): Promise<void> {
  if (words.length > 0) return;
  const { listExamples } = await import("../../cluster/files/examples.ts");
  onFound(inOrder(listExamples().map(({ name, title }) => ({ text: name, description: title }))));
}

function commandsIn(table: CommandTable): Candidate[] {
  return Object.entries(table).map(([name, { summary }]) => ({ text: name, description: summary }));
}

function completeFlag({ command, flags, table, onFound }: Question): void {
  const shown = flagsOf(table, command).filter(({ hidden }) => !hidden);
  const open = shown.filter(({ name, multiple }) => multiple || !flags.has(name));
  const candidates = open.flatMap(({ name, char, description }) => [
    { text: `--${name}`, description },
    ...(char === undefined ? [] : [{ text: `-${char}`, description }]),
  ]);
  onFound({ candidates, directive: DIRECTIVES.noFiles });
}

const files: Complete = async ({ onFound }) => onFound(FILES);

const { oldest, newest } = MODELED_MINORS;
const VERSIONS = Array.from({ length: newest - oldest + 1 }, (_, index) => `v1.${newest - index}`);

const CONFIGURATIONS = ["default", "reduced", "as-is"];

const VALUES: Readonly<Record<string, Complete>> = {
  namespace: (question) => completeNames(question, "Namespace", { prefix: "", types: [] }),
  context: fromKubeconfig("contexts"),
  cluster: fromKubeconfig("clusters"),
  user: fromKubeconfig("users"),
  container: completeContainer,
  filename: files,
  "output-file": files,
  report: files,
  kubeconfig: files,
  "certificate-authority": files,
  "client-certificate": files,
  "client-key": files,
  "kubelet-version": async ({ onFound }) => onFound(inOrder(plain(VERSIONS))),
  strategy: fromList(Object.keys(CONTENDERS)),
  compare: fromList(CONFIGURATIONS),
};

async function completeValue(question: Question, flag: FlagEntry): Promise<void> {
  if (flag.values.length > 0) question.onFound(inOrder(plain(flag.values)));
  else await VALUES[flag.name]?.(question);
}

function fromKubeconfig(what: "contexts" | "clusters" | "users"): Complete {
  return async (question) => question.onFound(inOrder(plain(await namesInKubeconfig(what, question))));
}

function fromList(values: readonly string[]): Complete {
  return async ({ text, onFound }) => {
    const before = text.slice(0, text.lastIndexOf(",") + 1);
    const open = values.filter((value) => !before.split(",").includes(value));
    onFound({ candidates: plain(open.map((value) => before + value)), directive: LIST });
  };
}

const LIST = DIRECTIVES.noFiles | DIRECTIVES.keepOrder | DIRECTIVES.noSpace;

async function completeContainer(question: Question): Promise<void> {
  const { command, words, flags, onFound } = question;
  if (command === "demo") {
    const { findExample, observeExample } = await import("../../cluster/files/examples.ts");
    return onFound(containersOf(await observeExample(findExample(words[0]))));
  }
  if (flags.has("filename")) return onFound(containersOf(await filesOfLine(question)));
  if (words.length > 0) onFound(inOrder(plain(await containersInCluster(question))));
}

function containersOf(observation: Observation | null): Completion {
  const pods = observation?.pods ?? [];
  return inOrder(plain(pods.flatMap(({ pod }) => pod.containers.map(({ name }) => name))));
}

/** See `PodResourceNameCompletionFunc` (k8s.io/kubectl v0.37.1, pkg/util/completion/completion.go). */
async function completeTargets(question: Question, count: "one" | "several"): Promise<void> {
  const { words, flags, text, onFound } = question;
  const [first = ""] = words;
  const typed = first.includes("/") ? null : kindOfWord(first);
  if (count === "one" && words.length > (typed === null ? 0 : 1)) return;
  if (flags.has("filename")) return onFound(inOrder(await podsInFiles(question)));
  const slash = text.indexOf("/");
  const kind = slash === -1 ? (typed ?? "Pod") : kindOfWord(text.slice(0, slash));
  if (kind === null) return;
  const types = slash === -1 && typed === null ? TARGET_KINDS.map((known) => `${known.toLowerCase()}/`) : [];
  await completeNames(question, kind, { prefix: text.slice(0, slash + 1), types });
}

async function completeNames(
  question: Question,
  kind: TargetKind | "Namespace",
  { prefix, types }: { readonly prefix: string; readonly types: readonly string[] },
): Promise<void> {
  const { words, text, onFound } = question;
  const fitting = plain(types.filter((type) => type.startsWith(text)));
  const found: TableName[] = [];
  await namesInCluster(kind, question, (names) => {
    const targets = names.map((row) => ({ ...row, name: `${prefix}${row.name}` }));
    found.push(...targets.filter(({ name }) => name.startsWith(text) && !words.includes(name)));
    if (found.length > 0) onFound(inOrder([...failingFirst(found), ...fitting]));
    // After "deployment/", the user types a name without a blank.
    else onFound({ candidates: fitting, directive: DIRECTIVES.noFiles | DIRECTIVES.noSpace });
  });
}

function failingFirst(names: readonly TableName[]): Candidate[] {
  const sorted = [true, false].flatMap((mayBeDown) => names.filter((name) => name.mayBeDown === mayBeDown));
  return sorted.map(({ name, status }) => ({ text: name, description: status }));
}

async function podsInFiles(question: Question): Promise<Candidate[]> {
  const pods = (await filesOfLine(question))?.pods ?? [];
  return plain(pods.map(({ pod }) => pod.name).filter((name) => !question.words.includes(name)));
}
