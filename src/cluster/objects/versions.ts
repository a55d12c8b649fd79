import { at, textOf } from "./untrusted.ts";

interface Versioned {
  readonly raw: unknown;
}

/**
 * Which of two resourceVersions is of a later moment: positive if it is `a`, null if either is no number. As
 * `CompareResourceVersion` does (apimachinery v0.37.1, pkg/util/resourceversion), of decimal numbers of any length; that they
 * are numbers which grow is promised since v1.35 (kubernetes/enhancements#5504).
 */
export function compareResourceVersions(a: string, b: string): number | null {
  if (!NUMBER.test(a) || !NUMBER.test(b)) return null;
  if (a.length !== b.length) return a.length - b.length;
  return a === b ? 0 : a < b ? -1 : 1;
}

const NUMBER = /^[1-9]\d*$/;

/** Which of two versions of an object is newer: positive if it is `a`, 0 if they are the same version or either does not say. */
export function compareVersions(a: Versioned, b: Versioned): number {
  const left = resourceVersionOf(a);
  const right = resourceVersionOf(b);
  return left === null || right === null ? 0 : (compareResourceVersions(left, right) ?? 0);
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
  return text !== null && NUMBER.test(text) ? text : null;
}
