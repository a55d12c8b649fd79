import { statSync } from "node:fs";
import { READABLE } from "../../cluster/files/input-text.ts";
import { UserError } from "../../errors.ts";

/** Adds words that name files to the values of -f, because a shell expands `-f *.json` to `-f a.json b.json`. */
export function withFileWords(
  words: readonly string[],
  filenames: readonly string[] | undefined,
  { takesFiles }: { readonly takesFiles: boolean },
) {
  const [file] = words.filter(isFile);
  if (file === undefined) return { words, filenames };
  if (filenames === undefined)
    throw new UserError("fileWithoutFlag", file, takesFiles ? null : "kubectl backoff explain");
  return { words: words.filter((word) => !isFile(word)), filenames: [...filenames, ...words.filter(isFile)] };
}

/** A word such as "./pod.json" counts as a file even if the file does not exist, because no pod can have this name. */
function isFile(word: string): boolean {
  if (word === "-" || /^(\/|\.\.?\/|~\/)/.test(word)) return true;
  return READABLE.test(word) && statSync(word, { throwIfNoEntry: false })?.isFile() === true;
}
