import { kindOfWord, TARGET_KINDS, type TargetKind } from "../../cluster/objects/workload-kinds.ts";
import type { TableName } from "../../cluster/pods/completion-names.ts";
import { type Candidate, DIRECTIVES, inOrder, plain } from "./candidates.ts";
import { filesOfLine, namesInCluster } from "./look-up.ts";
import type { Question } from "./question.ts";

/**
 * POD, TYPE/NAME, or after a type NAME, of the cluster or of the files of `-f`. As kubectl does it
 * (`PodResourceNameCompletionFunc`, k8s.io/kubectl v0.37.1), but pods in trouble first.
 */
export async function completeTargets(question: Question, count: "one" | "several"): Promise<void> {
  const { line, text, onFound } = question;
  const [first = ""] = line.words;
  const typed = first.includes("/") ? null : kindOfWord(first);
  if (count === "one" && line.words.length > (typed === null ? 0 : 1)) return;
  if (line.flags.has("filename")) return onFound(inOrder(await podsInFiles(question)));
  const slash = text.indexOf("/");
  const kind = slash === -1 ? (typed ?? "Pod") : kindOfWord(text.slice(0, slash));
  if (kind === null) return;
  const types = slash === -1 && typed === null ? TARGET_KINDS.map((known) => `${known.toLowerCase()}/`) : [];
  await completeNames(question, kind, { prefix: text.slice(0, slash + 1), types });
}

/** The names of one kind, page by page, after `prefix`; `types` are further candidates. */
export async function completeNames(
  { line, text, lookUp, onFound }: Question,
  kind: TargetKind | "Namespace",
  { prefix, types }: { readonly prefix: string; readonly types: readonly string[] },
): Promise<void> {
  const fitting = plain(types.filter((type) => type.startsWith(text)));
  const found: TableName[] = [];
  await namesInCluster(kind, line, lookUp, (names) => {
    const words = names.map((row) => ({ ...row, name: `${prefix}${row.name}` }));
    found.push(...words.filter(({ name }) => name.startsWith(text) && !line.words.includes(name)));
    if (found.length > 0) onFound(inOrder([...troubleFirst(found), ...fitting]));
    // Nothing but types: the name is still to be typed.
    else onFound({ candidates: fitting, directive: DIRECTIVES.noFiles | DIRECTIVES.noSpace });
  });
}

function troubleFirst(names: readonly TableName[]): Candidate[] {
  const sorted = [true, false].flatMap((isInTrouble) => names.filter((name) => name.isInTrouble === isInTrouble));
  return sorted.map(({ name, status }) => ({ text: name, description: status }));
}

async function podsInFiles({ line }: Question): Promise<Candidate[]> {
  const pods = (await filesOfLine(line))?.pods ?? [];
  return plain(pods.map(({ pod }) => pod.name).filter((name) => !line.words.includes(name)));
}
