import { at, textOf } from "./untrusted.ts";

/** Something that holds an object of the API. */
interface Versioned {
  readonly raw: unknown;
}

/**
 * Which of two versions of an object is newer: positive if it is `a`, 0 if they are the same version or either does not say.
 * As `CompareResourceVersion` does (apimachinery v0.37.1, pkg/util/resourceversion), of decimal numbers of any length.
 */
export function compareVersions(a: Versioned, b: Versioned): number {
  const left = resourceVersionOf(a);
  const right = resourceVersionOf(b);
  if (left === null || right === null || left === right) return 0;
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : 1;
}

/**
 * Versions of one object, oldest first, each once: by resourceVersion, or in the order of the input if any has none. Of two
 * with the same resourceVersion the later one stays.
 */
export function oldestFirst<T extends Versioned>(versions: readonly T[]): readonly T[] {
  if (versions.some((version) => resourceVersionOf(version) === null)) return versions;
  const sorted = versions.toSorted(compareVersions);
  return sorted.filter((version, index) => resourceVersionOf(version) !== resourceVersionOf(sorted[index + 1]));
}

/** Per object (as `keyOf` tells them apart) the newest version; without a resourceVersion the one that came last. */
export function newestOfEach<T extends Versioned>(objects: readonly T[], keyOf: (object: T) => string): readonly T[] {
  const newest = new Map<string, T>();
  for (const object of objects) {
    const known = newest.get(keyOf(object));
    if (known === undefined || compareVersions(object, known) >= 0) newest.set(keyOf(object), object);
  }
  return [...newest.values()];
}

function resourceVersionOf(object: Versioned | undefined): string | null {
  const version = at(object?.raw, "metadata", "resourceVersion");
  const text = typeof version === "number" ? String(version) : textOf(version);
  return text !== null && /^[1-9]\d*$/.test(text) ? text : null;
}
