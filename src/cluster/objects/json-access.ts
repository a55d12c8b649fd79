export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns only own properties, because inherited ones, such as `constructor`, are not in the input. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (!isObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns null for an empty text, because in most fields of the API an empty text means "not set". */
export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Returns null for an integer that does not fit into an int32 of Go. */
export function integerOf(value: unknown): number | null {
  return typeof value === "number" && (value | 0) === value ? value | 0 : null;
}

export function countOf(value: unknown): number | null {
  const integer = integerOf(value);
  return integer !== null && integer >= 0 ? integer : null;
}

export function longCountOf(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value + 0 : null;
}

export function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | null {
  return allowed.find((candidate) => candidate === value) ?? null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

interface JsonPlace {
  /** Null for a closing bracket that nothing opens. */
  readonly first: number | null;
  readonly end: number;
}

/** Finds the outermost objects and arrays from `start` on, without parsing them, to save time and memory. */
export function* placesInJson(text: string, start = 0): Generator<JsonPlace> {
  let depth = 0;
  let first = start;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (depth++ === 0) first = index;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (depth === 0) yield { first: null, end: index + 1 };
      else if (--depth === 0) yield { first, end: index + 1 };
    }
  }
}

function endOfString(text: string, index: number): number {
  for (let end = text.indexOf('"', index + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
