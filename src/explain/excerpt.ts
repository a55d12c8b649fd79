/**
 * A text of about `most` characters: of a longer one its beginning and its end, which say what failed, and why. Cut between
 * words where there are any.
 */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most / 2).replace(/(?<=\s)\S*$/, "");
  const end = text.slice(-most / 2).replace(/^\S*(?=\s)/, "");
  return `${beginning}…${end}`.toWellFormed();
}
