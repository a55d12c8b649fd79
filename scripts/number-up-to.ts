/** Throws if the value of the flag is no number from 0 to `most`. */
export function numberUpTo(most: number, text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= most)) throw new Error(`${flag} cannot be "${text}".`);
  return value;
}
