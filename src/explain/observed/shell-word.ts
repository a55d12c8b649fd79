/** Returns `word` in single quotes if a POSIX shell may interpret it, or in double quotes if that needs no escapes. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const isPlainInDouble = word.includes("'") && !/["$`\\!]/.test(word);
  return isPlainInDouble ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
