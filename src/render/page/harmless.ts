import util from "node:util";

const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/**
 * With these characters, a name could look like another name. U+FE0E and U+FE0F are allowed, because they can choose
 * the look of an emoji. This is a function, because making the regular expression takes time.
 */
const deceptive = (): RegExp => /[[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\ufe0e\ufe0f]]/gv;

/** Node's `stripVTControlCharacters` removes only sequences that begin with one of these characters. */
const SEQUENCE_STARTS = ["\u001b", "\u009b"];

/** `\s` does not match U+0085, the control character NEL (next line). */
const BLANKS = /[\s\u0085]+/gu;

/** The limit of 30 is from Unicode's Stream-Safe Text Format (UAX #15). */
const marks = (): RegExp => /(\p{Mn}{30})\p{Mn}+/gu;

/** Returns one line without control characters. */
export function harmless(text: string): string {
  if (PLAIN.test(text)) return text;
  return harmlessPart(text).trim();
}

function harmlessPart(text: string): string {
  const plain = SEQUENCE_STARTS.some((start) => text.includes(start)) ? util.stripVTControlCharacters(text) : text;
  return plain
    .toWellFormed()
    .replace(deceptive(), "")
    .replace(BLANKS, " ")
    .replace(/\p{Cc}/gu, "")
    .replace(marks(), "$1");
}

const MOST_INDENTATION = 16;

export function harmlessLine(line: string): string {
  const [indentation = ""] = /^[ \t]*/.exec(line) ?? [];
  const blanks = indentation.replaceAll("\t", "    ").slice(0, MOST_INDENTATION);
  return `${blanks}${harmless(line)}`.trimEnd();
}

export function allHarmless<T>(value: T, make?: typeof harmless): T;
export function allHarmless(value: unknown, make = harmless): unknown {
  if (typeof value === "string") return make(value);
  if (Array.isArray(value)) return value.map((inner) => allHarmless(inner, make));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, inner]) => [key, allHarmless(inner, BY_KEY[key] ?? make)]));
}

/** Log lines in `logs` may be indented. Pieces of a sentence in `parts` may begin or end with a blank. */
const BY_KEY: Readonly<Record<string, typeof harmless>> = { logs: harmlessLine, parts: harmlessPart };

export function isDeceptive(text: string): boolean {
  return text.search(deceptive()) >= 0;
}

/** Keeps line feeds, because JSON has none in strings. */
export function escapeInJson(json: string): string {
  return json.replace(/[^\n\P{Cc}]|[\u2028\u2029]/gu, escapeUnits).replace(deceptive(), escapeUnits);
}

/** A character above U+FFFF has two UTF-16 units, and needs two escapes in JSON. */
export function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${hex(character.charCodeAt(index), 4)}`).join("");
}

/**
 * Expects characters that are {@link isDeceptive} only in double-quoted scalars, because no other scalar can hold
 * escapes.
 */
export function escapeInYaml(yaml: string): string {
  return yaml.replace(deceptive(), (character) => {
    const point = character.codePointAt(0) ?? 0;
    return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
  });
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
