interface Instant {
  readonly atMs: number;
}

/** A text for users. An instant in the text stays a number, because each renderer prints it in its own time zone. */
export type Prose = string | { readonly parts: readonly (string | Instant)[] };

/** A template tag that joins texts, numbers and instants, e.g. prose`It restarts at ${{ atMs }}.` */
export function prose(strings: TemplateStringsArray, ...values: readonly (Prose | Instant | number)[]): Prose {
  const parts: (string | Instant)[] = [strings[0] ?? ""];
  const add = (part: string | Instant): void => {
    const last = parts.at(-1);
    if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part;
    else parts.push(part);
  };
  values.forEach((value, index) => {
    for (const part of partsOf(typeof value === "number" ? `${value}` : value)) add(part);
    add(strings[index + 1] ?? "");
  });
  const [only = ""] = parts;
  return parts.length === 1 && typeof only === "string" ? only : { parts: parts.filter((part) => part !== "") };
}

export function partsOf(text: Prose | Instant): readonly (string | Instant)[] {
  if (typeof text === "string") return [text];
  return "parts" in text ? text.parts : [text];
}

/** Returns e.g. "a, b and 2 more" for four items if `mostShown` is 2. */
export function firstOf<Item>(
  items: readonly Item[],
  mostShown: number,
  wordOf: (item: Item) => string = String,
): string {
  const more = items.length - mostShown;
  return `${items.slice(0, mostShown).map(wordOf).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Returns e.g. "a, b and c". If `mostParts` is 3, returns for four words "a, b and 2 more". */
export function joinedWords(words: readonly string[], conjunction: "and" | "or", mostParts = words.length): string {
  const more = words.length - mostParts + 1;
  const shown = words.length > mostParts ? [...words.slice(0, mostParts - 1), `${more} more`] : words;
  const [last = ""] = shown.slice(-1);
  return shown.length <= 1 ? last : `${shown.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

export function timesWords(count: number, isLowerBound = false): string {
  return `${isLowerBound ? "at least " : ""}${count === 1 ? "once" : `${count} times`}`;
}

export function formatPercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

export function spelledOut(text: Prose, formatted: (atMs: number) => string): string {
  return partsOf(text)
    .map((part) => (typeof part === "string" ? part : formatted(part.atMs)))
    .join("");
}

/** Spells out an instant as e.g. "2026-11-22T13:43:00Z". */
export function textInUtc(text: Prose): string {
  return spelledOut(text, (atMs) => new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z"));
}

export function joinedProse(separator: string, texts: readonly Prose[]): Prose {
  const [first = "", ...others] = texts.filter((text) => text !== "");
  return others.reduce((joined, text) => prose`${joined}${separator}${text}`, first);
}
