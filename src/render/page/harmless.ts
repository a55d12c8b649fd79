import util from "node:util";

/** Matches ASCII words with one space between them. Nearly every text matches, and is harmless as it is. */
const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/**
 * Matches characters that reorder text or are invisible: with them, a name could look like another name. The joiners of
 * letters and emoji are among them; the variation selectors of emoji are not. This is a function because Node takes
 * longer to compile the expression than to draw a table.
 */
const deceptive = (): RegExp => /[[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\ufe0e\ufe0f]]/gv;

/** Every escape sequence begins with one of these. A text without them needs no `stripVTControlCharacters`. */
const SEQUENCE_STARTS = ["\u001b", "\u009b"];

/** Matches white space, Unicode's line separators, and the control character NEL. */
const BLANKS = /[\s\u0085]+/gu;

/** Matches more than 30 combining marks. No script needs more on a letter (Stream-Safe Text Format, UAX #15). */
const marks = (): RegExp => /(\p{Mn}{30})\p{Mn}+/gu;

/**
 * Returns text from a cluster as one line that is safe to print on a terminal: without escape sequences, control
 * characters, and characters that reorder text or are invisible. Each run of white space becomes one space.
 */
export function harmless(text: string): string {
  if (PLAIN.test(text)) return text;
  return harmlessPart(text).trim();
}

/** Returns {@link harmless} text for a part of a text, which may begin or end with a space. */
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

/**
 * Returns a log line that is safe to print: {@link harmless}, but with its indentation of up to 16 columns. A tab
 * becomes four spaces.
 */
export function harmlessLine(line: string): string {
  const [indentation = ""] = /^[ \t]*/.exec(line) ?? [];
  const blanks = indentation.replaceAll("\t", "    ").slice(0, MOST_INDENTATION);
  return `${blanks}${harmless(line)}`.trimEnd();
}

/** Returns a copy of a value with all strings {@link harmless}. Log lines keep their indentation. */
export function allHarmless<T>(value: T, make?: typeof harmless): T;
export function allHarmless(value: unknown, make = harmless): unknown {
  if (typeof value === "string") return make(value);
  if (Array.isArray(value)) return value.map((inner) => allHarmless(inner, make));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, inner]) => [key, allHarmless(inner, MAKERS[key] ?? make)]));
}

/** Makes strings below these keys harmless in another way: log lines, and the parts of a `Prose`. */
const MAKERS: Readonly<Record<string, typeof harmless>> = { logs: harmlessLine, parts: harmlessPart };

export function isDeceptive(text: string): boolean {
  return text.search(deceptive()) >= 0;
}

/**
 * Escapes the control characters of a JSON document other than line breaks, and characters that reorder text or are
 * invisible.
 */
export function escapeInJson(json: string): string {
  return json.replace(/[^\n\P{Cc}]|[\u2028\u2029]/gu, escapeUnits).replace(deceptive(), escapeUnits);
}

/** Returns the JSON escapes of a character: "\u003c" for "<". */
export function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${hex(character.charCodeAt(index), 4)}`).join("");
}

/** Escapes characters that reorder text or are invisible in a YAML document. They must be inside double quotes. */
export function escapeInYaml(yaml: string): string {
  return yaml.replace(deceptive(), (character) => {
    const point = character.codePointAt(0) ?? 0;
    return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
  });
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
