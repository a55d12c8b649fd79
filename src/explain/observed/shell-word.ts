/** Quotes the word if a POSIX shell would interpret it: with the quotes that need no escape in it, if there are any. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const isPlainInDouble = word.includes("'") && !/["$`\\!]/.test(word);
  return isPlainInDouble ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
