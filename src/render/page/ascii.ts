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
