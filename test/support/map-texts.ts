/**
 * Replaces every text in a JSON value. `make` gets the text, and the name of the field that the text (or the list with
 * the text) is in.
 */
export function mapTexts(value: unknown, make: (text: string, key: string) => string, key = ""): unknown {
  if (typeof value === "string") return make(value, key);
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, make, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, make, name)]));
}
