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

/** Throws a usage error if what was meant to be `command` is followed by another word: two pods of such names are less likely. */
export function refuseMisspelledCommand(argv: readonly string[], commands: CommandShapes, command: string): void {
  const [word = "", second] = wordsIn(argv, commands);
  if (second !== undefined) throw new UserError("unknownCommand", word, command);
}
