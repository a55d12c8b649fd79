import { styleText } from "node:util";

/** What a colour stands for; it never says anything that the text does not. */
export type Tone = "title" | "bad" | "uneasy" | "good" | "quiet";

const STYLES = { title: "bold", bad: "red", uneasy: "yellow", good: "green", quiet: "dim" } as const;

/** The text in its tone's colour, if colours are wanted. Whether they are is the caller's decision alone. */
export function paint(text: string, tone: Tone, color: boolean): string {
  return color && text !== "" ? styleText(STYLES[tone], text, { validateStream: false }) : text;
}

const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  // In a sentence there is room for three dots, in a cell of a table there is not.
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
  [/·/g, "-"],
  [/█/g, "#"],
  [/░/g, "."],
];

/** The same text with ASCII for the signs that this program itself writes; what comes from a cluster stays as it is. */
export function inAscii(text: string): string {
  return REPLACEMENTS.reduce((ascii, [sign, replacement]) => ascii.replace(sign, replacement), text);
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A heading of a table as pages write it: "NEXT START" as "Next start". */
export function headingCase(heading: string): string {
  return heading.charAt(0) + heading.slice(1).toLowerCase();
}

/** "1 run", "2 runs". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
