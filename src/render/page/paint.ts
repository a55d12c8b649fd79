import { styleText } from "node:util";

export type Tone = "title" | "bad" | "uneasy" | "good" | "quiet";

const STYLES = { title: "bold", bad: "red", uneasy: "yellow", good: "green", quiet: "dim" } as const;

/** The caller decides about `color`, so Node must not check again whether the terminal has colours. */
export function paint(text: string, tone: Tone, color: boolean): string {
  return color && text !== "" ? styleText(STYLES[tone], text, { validateStream: false }) : text;
}

const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  // The second rule is for the "…" where a text is cut: "~" has the same width.
  [/(?<=^\s*|, )…|(?<=[\s"])…(?=[.,;:)"])/gm, "..."],
  [/…/g, "~"],
  [/±/g, "+-"],
  [/×/g, "x"],
  [/[–—‐‑]/g, "-"],
  [/[“”„]/g, '"'],
  [/[‘’]/g, "'"],
  [/→/g, "->"],
  [/←/g, "<-"],
  [/≥/g, ">="],
  [/≤/g, "<="],
  [/·/g, "."],
  [/─/g, "-"],
  [/░/g, "="],
  [/▌/g, "i"],
  [/[▁▂▃]/g, "_"],
  [/[▄▅▆▇█]/g, "#"],
];

/** Keeps the non-ASCII characters that `REPLACEMENTS` does not list, e.g. letters. */
export function inAscii(text: string): string {
  return REPLACEMENTS.reduce((ascii, [sign, replacement]) => ascii.replace(sign, replacement), text);
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function headingCase(heading: string): string {
  return heading.charAt(0) + heading.slice(1).toLowerCase();
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
