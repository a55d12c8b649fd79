import { distance } from "fastest-levenshtein";
import { UserError } from "../../errors.ts";
import type { CommandLine } from "./command-line.ts";

/**
 * A word with characters other than the letters A to Z does not count as a misspelled command. Throws a UserError if
 * another word follows a misspelled command.
 */
export function misspelledCommand(line: CommandLine, commands: readonly string[]): string | null {
  const [word = "", second] = line.words;
  if (line.isNamed || !/^[a-z]+$/i.test(word)) return null;
  const [nearest = null] = nearestWords(word.toLowerCase(), commands);
  if (nearest !== null && second !== undefined) throw new UserError("unknownCommand", word, nearest);
  return nearest;
}

/** Commands of kubectl (v1.37.1). Assumed: users do not give pods these names. */
const VERBS = new Set(
  "get describe logs edit set delete apply create patch replace scale rollout exec attach cp debug port-forward proxy top events certificate cordon uncordon drain taint label annotate run expose autoscale auth config options api-resources api-versions cluster-info completion diff kuberc kustomize plugin".split(
    " ",
  ),
);

export function refuseVerb({ isNamed, words: [verb = "", ...rest] }: CommandLine): void {
  if (isNamed || !VERBS.has(verb)) return;
  const target = rest.length === 0 ? "POD" : rest.join(" ");
  const counterparts: Readonly<Record<string, string>> = {
    get: rest.length > 1 || target.includes("/") ? `kubectl backoff explain ${target}` : "kubectl backoff list",
    events: "kubectl backoff list",
    describe: `kubectl backoff explain ${target}`,
    logs: `kubectl backoff explain ${target} --logs`,
  };
  throw new UserError("verbOfKubectl", verb, counterparts[verb] ?? `kubectl ${verb}`);
}

export function refuseHelpFor({ command, words: [word] }: CommandLine, commands: readonly string[]): void {
  if (command !== "help" || word === undefined || commands.includes(word)) return;
  throw new UserError("noHelpFor", word, nearestWords(word.toLowerCase(), commands));
}

/** Assumed: a user makes at most one mistake per this many letters, and at most one in a shorter word. */
const LETTERS_PER_MISTAKE = 3.5;

export function nearestWords(word: string, words: readonly string[]): readonly string[] {
  return words
    .map((candidate) => ({ candidate, mistakes: isSwapped(word, candidate) ? 1 : distance(word, candidate) }))
    .filter(({ candidate, mistakes }) => mistakes <= Math.max(1, Math.floor(candidate.length / LETTERS_PER_MISTAKE)))
    .sort((a, b) => a.mistakes - b.mistakes)
    .map(({ candidate }) => candidate);
}

function isSwapped(word: string, candidate: string): boolean {
  const first = [...word].findIndex((letter, index) => letter !== candidate[index]);
  if (first === -1 || word.length !== candidate.length) return false;
  const swapped = word.slice(0, first) + word.slice(first + 1, first + 2) + word.slice(first, first + 1);
  return swapped + word.slice(first + 2) === candidate;
}
