import util from "node:util";

/** ASCII words with one blank between them. Nearly every text is this, and it is harmless as it is. */
const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/**
 * Characters that reorder text or that are invisible: with them, a message or a name could pretend to say something else.
 * The joiners of letters and emoji are among them; variation selectors are not. A function, because Node takes longer to
 * compile this expression than to draw a table.
 */
const deceptive = (): RegExp => /[[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\ufe0e\ufe0f]]/gv;

/** Every escape sequence begins with one of these; other texts need no `stripVTControlCharacters`, which loads slowly. */
const SEQUENCE_STARTS = ["\u001b", "\u009b"];

/** White space, Unicode's line separators, and NEL, a control character of C1. */
const BLANKS = /[\s\u0085]+/gu;

/** No script has more than 30 marks on a letter (Stream-Safe Text Format, UAX #15); more only take time to measure. */
const marks = (): RegExp => /(\p{Mn}{30})\p{Mn}+/gu;

/**
 * Text from a cluster as one line that is safe to print on a terminal: without escape sequences, control characters (C0,
 * DEL, C1), and characters that reorder text or are invisible. Each run of white space becomes one blank.
 */
export function harmless(text: string): string {
  if (PLAIN.test(text)) return text;
  const plain = SEQUENCE_STARTS.some((start) => text.includes(start)) ? util.stripVTControlCharacters(text) : text;
  return plain
    .toWellFormed()
    .replace(deceptive(), "")
    .replace(BLANKS, " ")
    .replace(/\p{Cc}/gu, "")
    .replace(marks(), "$1")
    .trim();
}

/** Columns of indentation that are kept of a line, because indentation shows structure. */
const MOST_INDENTATION = 16;

/** A line of a log that is safe to print: {@link harmless}, but with its indentation; a tab becomes four blanks. */
export function harmlessLine(line: string): string {
  const [indentation = ""] = /^[ \t]*/.exec(line) ?? [];
  const blanks = indentation.replaceAll("\t", "    ").slice(0, MOST_INDENTATION);
  return `${blanks}${harmless(line)}`.trimEnd();
}

/** A copy of a value with every string made {@link harmless}; under the key `logs`, strings keep their indentation. */
export function allHarmless<T>(value: T, make?: typeof harmless): T;
export function allHarmless(value: unknown, make = harmless): unknown {
  if (typeof value === "string") return make(value);
  if (Array.isArray(value)) return value.map((inner) => allHarmless(inner, make));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, allHarmless(inner, key === "logs" ? harmlessLine : make)]),
  );
}

/** Whether a text holds characters that reorder text or that are invisible. */
export function isDeceptive(text: string): boolean {
  return text.search(deceptive()) >= 0;
}

/** A JSON document with escapes for control characters, and for characters that reorder text or are invisible. */
export function escapeInJson(json: string): string {
  return json.replace(/[^\n\P{Cc}]|[\u2028\u2029]/gu, escapeUnits).replace(deceptive(), escapeUnits);
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${hex(character.charCodeAt(index), 4)}`).join("");
}

/** A YAML document with escapes for characters that reorder text or are invisible; they must be inside double quotes. */
export function escapeInYaml(yaml: string): string {
  return yaml.replace(deceptive(), (character) => {
    const point = character.codePointAt(0) ?? 0;
    return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
  });
}

/** A text in which Markdown and HTML interpret nothing. On GitHub, "$" begins mathematics. */
export function escapeInMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|~&$#!]/g, "\\$&");
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
