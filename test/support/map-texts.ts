/** Replaces every text in a JSON value; `key` is the name of the field that the text or its list is in. */
export function mapTexts(value: unknown, make: (text: string, key: string) => string, key = ""): unknown {
  if (typeof value === "string") return make(value, key);
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, make, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, make, name)]));
}

/** Finds any of the names as a whole word. Longer names win, because one name may be a part of another. */
export function anyOf(names: readonly string[]): RegExp {
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  const pattern = longestFirst.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return new RegExp(`(?<![A-Za-z0-9])(?:${pattern || "(?!)"})(?![A-Za-z0-9])`, "g");
}
