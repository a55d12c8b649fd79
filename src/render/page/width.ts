import stringWidth from "string-width";

/** string-width counts one column for each of these characters, but takes longer. */
const PLAIN = /^[\x20-\x7e\u2010-\u2027]*$/;

/** Returns how many columns of a terminal the text takes: e.g. a Chinese character two, a colour code none. */
export function displayWidth(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text);
}

/** Breaks a text at spaces, and inside a word only if the word is wider than `width`. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((whole) => pieces(whole, width))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === "" ? lines : [...lines, line];
}

function pieces(word: string, width: number): string[] {
  if (displayWidth(word) <= width) return [word];
  const broken: string[] = [];
  let piece = "";
  for (const character of word) {
    if (displayWidth(piece + character) > width) {
      broken.push(piece);
      piece = character;
    } else piece += character;
  }
  return [...broken, piece];
}

export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const end = fitting(Array.from(text).reverse(), Math.floor((width - 1) / 2), (kept, next) => next + kept);
  return `${fitting(text, width - 1 - displayWidth(end), (kept, next) => kept + next)}…${end}`;
}

export function clipped(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return `${fitting(text, width - 1, (kept, next) => kept + next)}…`;
}

function fitting(characters: Iterable<string>, width: number, join: (kept: string, next: string) => string): string {
  let kept = "";
  for (const next of characters) {
    const longer = join(kept, next);
    if (displayWidth(longer) > width) break;
    kept = longer;
  }
  return kept;
}
