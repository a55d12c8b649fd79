/**
 * Quotes `word` if a POSIX shell may interpret it, with double quotes if single quotes need an escape and double quotes
 * do not.
 */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const isPlainInDouble = word.includes("'") && !/["$`\\!]/.test(word);
  return isPlainInDouble ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
