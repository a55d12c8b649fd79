/** Quotes an argument if a POSIX shell may interpret its characters. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const isPlainInDouble = word.includes("'") && !/["$`\\!]/.test(word);
  return isPlainInDouble ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
