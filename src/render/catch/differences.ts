/** What has changed between two versions of an object, one line each: "status.phase: "Pending" → "Running"". */
export function differences(older: unknown, newer: unknown): string[] {
  return compare(older, newer, "", 0);
}

/** It changes with every version and tells nothing. */
const WITHOUT_MEANING = "metadata.resourceVersion";
const MOST_DEPTH = 20;
const MOST_CHARACTERS = 300;

function compare(older: unknown, newer: unknown, path: string, depth: number): string[] {
  if (older === newer || path === WITHOUT_MEANING) return [];
  const [before, after] = [partsOf(older), partsOf(newer)];
  if (before === null || after === null || depth === MOST_DEPTH) {
    if (JSON.stringify(older) === JSON.stringify(newer)) return [];
    return [`${path}: ${shown(older)} → ${shown(newer)}`];
  }
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const inner = key.startsWith("[") || path === "" ? `${path}${key}` : `${path}.${key}`;
    return compare(before.get(key), after.get(key), inner, depth + 1);
  });
}

/** The fields of an object, or the items of a list by their name, type or place; null for what has no parts. */
function partsOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (Array.isArray(value)) return new Map(value.map((item, index) => [`[${nameOf(item) ?? index}]`, item]));
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : null;
}

function nameOf(item: unknown): string | null {
  const { name, type } = (item ?? {}) as { readonly name?: unknown; readonly type?: unknown };
  return [name, type].find((text) => typeof text === "string") ?? null;
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  const text = JSON.stringify(value);
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}
