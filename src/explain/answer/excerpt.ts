/**
 * A text of about `most` characters: of a longer one its beginning and its end, which say what failed, and why. Cut between
 * words where there are any, and through no character.
 */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most / 2).replace(/(?<=\s)\S*$|[\ud800-\udbff]$/, "");
  const end = text.slice(-most / 2).replace(/^\S*(?=\s)|^[\udc00-\udfff]/, "");
  return `${beginning}…${end}`.toWellFormed();
}

/** What a kubelet says of a failure, as part of a sentence: on one line, at most so long, without a full stop. */
export function quoted(message: string): string {
  return excerpt(message.trim().replaceAll(/\s+/g, " "), MOST_QUOTED).replace(/[.]$/, "");
}

/** Some runtimes' errors are pages long. */
const MOST_QUOTED = 200;
