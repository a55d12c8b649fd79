/** A word for a POSIX shell: in single quotes, unless the shell takes it as it is anyway. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A kubectl command line for a POSIX shell. */
export function kubectl(...words: readonly string[]): string {
  return ["kubectl", ...words].map(shellWord).join(" ");
}
