interface Instant {
  readonly atMs: number;
}

/** A text for users. Instants in the text stay numbers, so that each renderer can format them. */
export type Prose = string | { readonly parts: readonly (string | Instant)[] };

/** E.g. prose`It restarts at ${{ atMs }}.` */
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

/** Returns e.g. "a, b and c", or "a, b and 2 more" for four words if `mostParts` is 3. */
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

export function textInUtc(text: Prose): string {
  return spelledOut(text, (atMs) => new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z"));
}

export function joinedProse(separator: string, texts: readonly Prose[]): Prose {
  const [first = "", ...others] = texts.filter((text) => text !== "");
  return others.reduce((joined, text) => prose`${joined}${separator}${text}`, first);
}
