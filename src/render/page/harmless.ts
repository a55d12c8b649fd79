import util from "node:util";

/** Words of ASCII with one blank between them, as nearly every text is: nothing has to be done about those. */
const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/**
 * They reorder text, or are not seen and so hide in it: a message or a name could pretend to say something else. What joins
 * letters or emoji is among them; what only chooses between two looks of one character is not. Made when it is needed, for
 * what Unicode says of its characters takes longer to load than a table to draw.
 */
const deceptive = (): RegExp => /[[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\ufe0e\ufe0f]]/gv;

/** What begins an escape sequence. Without one nothing is stripped, and what strips takes time to load. */
const SEQUENCE_STARTS = ["\u001b", "\u009b"];

/** White space of any kind, the line separators of Unicode and C1's NEL. */
const BLANKS = /[\s\u0085]+/gu;

/** No writing puts more marks on a letter (Unicode's Stream-Safe Text Format, UAX #15); they take no room, but time to measure. */
const marks = (): RegExp => /(\p{Mn}{30})\p{Mn}+/gu;

/**
 * Text from a cluster as one line that a terminal shows and does not obey: without escape sequences, control characters
 * (C0, DEL, C1) and invisible characters that reorder text; each run of white space is one blank.
 */
export function harmless(text: string): string {
  if (PLAIN.test(text)) return text;
  const plain = SEQUENCE_STARTS.some((start) => text.includes(start)) ? util.stripVTControlCharacters(text) : text;
  const shown = plain.toWellFormed().replace(deceptive(), "");
  return shown
    .replace(BLANKS, " ")
    .replace(/\p{Cc}/gu, "")
    .replace(marks(), "$1")
    .trim();
}

/** So much of a line's indentation is kept: it says what belongs together. */
const MOST_INDENTATION = 16;

/** The same for a line of a log, whose indentation stays; a tab is four blanks. */
export function harmlessLine(line: string): string {
  const [indentation = ""] = /^[ \t]*/.exec(line) ?? [];
  const blanks = indentation.replaceAll("\t", "    ").slice(0, MOST_INDENTATION);
  return `${blanks}${harmless(line)}`.trimEnd();
}

/** The same value with every string in it harmless; what is under `logs` are lines of logs. */
export function allHarmless<T>(value: T): T {
  return mapStrings(value, harmless) as T;
}

function mapStrings(value: unknown, make: (text: string) => string): unknown {
  if (typeof value === "string") return make(value);
  if (Array.isArray(value)) return value.map((inner) => mapStrings(inner, make));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, mapStrings(inner, key === "logs" ? harmlessLine : make)]),
  );
}

/** Whether a text holds characters that no terminal shows but that change how the rest of it looks. */
export function isDeceptive(text: string): boolean {
  return text.search(deceptive()) >= 0;
}

/** The same JSON document with escapes for everything that a terminal might obey. */
export function escapeInJson(json: string): string {
  return json.replace(/[^\n\P{Cc}]|[\u2028\u2029]/gu, escapeUnits).replace(deceptive(), escapeUnits);
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${hex(character.charCodeAt(index), 4)}`).join("");
}

/** The same YAML document with escapes for characters that change how text looks; they must be in double quotes. */
export function escapeInYaml(yaml: string): string {
  return yaml.replace(deceptive(), (character) => {
    const point = character.codePointAt(0) ?? 0;
    return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
  });
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
