import { editDistance } from "../../cluster/api/nearest-names.ts";
import { UserError } from "../../errors.ts";
import { type CommandShapes, wordsIn } from "./read-argv.ts";

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

/** Longer words take more mistakes: one in so many letters, and one in any. */
const LETTERS_PER_MISTAKE = 3.5;

/** The words that were probably meant by a misspelled one, the most likely first. */
export function nearestWords(word: string, words: readonly string[]): readonly string[] {
  return words
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / LETTERS_PER_MISTAKE)))
    .sort((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate);
}

/** Two neighbours in the wrong order are one mistake. */
function distanceOf(word: string, candidate: string): number {
  return isSwapped(word, candidate) ? 1 : editDistance(word, candidate);
}

function isSwapped(word: string, candidate: string): boolean {
  const first = [...word].findIndex((letter, index) => letter !== candidate[index]);
  if (first === -1 || word.length !== candidate.length) return false;
  const swapped = word.slice(0, first) + word.slice(first + 1, first + 2) + word.slice(first, first + 1);
  return swapped + word.slice(first + 2) === candidate;
}
