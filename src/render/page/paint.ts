import { styleText } from "node:util";

/** The meaning of a colour. The text says the same, for readers who do not see colours. */
export type Tone = "title" | "bad" | "uneasy" | "good" | "quiet";

const STYLES = { title: "bold", bad: "red", uneasy: "yellow", good: "green", quiet: "dim" } as const;

/** Returns the text in the colour of its tone if `color` is true, even if Node detects a terminal without colours. */
export function paint(text: string, tone: Tone, color: boolean): string {
  return color && text !== "" ? styleText(STYLES[tone], text, { validateStream: false }) : text;
}

const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  // A sentence has room for three dots, a cell of a table has not.
  [/(?<=^|\s|")…|…(?=$|[\s.,;:)"])/gm, "..."],
  [/…/g, "~"],
  [/±/g, "+-"],
  [/×/g, "x"],
  [/[–—‐‑]/g, "-"],
  [/[“”„]/g, '"'],
  [/[‘’]/g, "'"],
  [/→/g, "->"],
  [/≥/g, ">="],
  [/≤/g, "<="],
  [/·/g, "."],
  [/─/g, "-"],
  [/░/g, "="],
  [/▌/g, "i"],
  [/[▁▂▃]/g, "_"],
  [/[▄▅▆▇█]/g, "#"],
];

/** Replaces the non-ASCII characters that this program writes, e.g. "→" by "->". Keeps all other characters. */
export function inAscii(text: string): string {
  return REPLACEMENTS.reduce((ascii, [sign, replacement]) => ascii.replace(sign, replacement), text);
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns "Next start" for "NEXT START". */
export function headingCase(heading: string): string {
  return heading.charAt(0) + heading.slice(1).toLowerCase();
}

/** Returns a number with its noun: "1 run", "2 runs". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
