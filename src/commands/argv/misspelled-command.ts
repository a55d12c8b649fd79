import { UserError } from "../../errors.ts";
import { nearestWords } from "./nearest-word.ts";
import { type CommandShapes, wordsIn } from "./rewrite-argv.ts";

/**
 * The command that the first word was probably meant to be; null where it is one, or like none. As `explain` may be left
 * out, such a word names a pod all the same; but commands have neither digits nor dashes, and most pods have.
 */
export function misspelledCommand(argv: readonly string[], commands: CommandShapes): string | null {
  const [word = ""] = wordsIn(argv, commands);
  const names = Object.keys(commands);
  if (names.includes(word) || word === "help" || !/^[a-z]+$/i.test(word)) return null;
  return nearestWords(word.toLowerCase(), names)[0] ?? null;
}

/** kubectl's own verbs (v1.37.1) that nobody means a pod by; they are refused instead of being taken for pods. */
const VERBS = new Set(
  "get describe logs edit delete apply create patch replace scale rollout exec attach cp debug port-forward proxy top events cordon drain taint label annotate run expose autoscale auth config options api-resources api-versions cluster-info completion diff kustomize plugin".split(
    " ",
  ),
);

/** Throws a usage error for a verb of kubectl that this program does not have, and names the command that is meant. */
export function refuseVerb(argv: readonly string[], commands: CommandShapes): void {
  const [verb = "", ...rest] = wordsIn(argv, commands);
  if (!VERBS.has(verb) || Object.hasOwn(commands, verb)) return;
  const target = rest.length === 0 ? "POD" : rest.join(" ");
  const counterparts: Readonly<Record<string, string>> = {
    get: "kubectl backoff list",
    events: "kubectl backoff list",
    describe: `kubectl backoff explain ${target}`,
    logs: `kubectl backoff explain ${target} --logs`,
  };
  throw new UserError("verbOfKubectl", verb, counterparts[verb] ?? `kubectl ${verb}`);
}

/** Throws a usage error if what was meant to be `command` is followed by another word: two pods of such names are less likely. */
export function refuseMisspelledCommand(argv: readonly string[], commands: CommandShapes, command: string): void {
  const [word = "", second] = wordsIn(argv, commands);
  if (second !== undefined) throw new UserError("unknownCommand", word, command);
}
