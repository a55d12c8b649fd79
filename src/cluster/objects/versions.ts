import { at, textOf } from "./json-access.ts";

interface Versioned {
  readonly raw: unknown;
}

/**
 * See `CompareResourceVersion` (apimachinery v0.37.1, pkg/util/resourceversion/resourceversion.go). Kubernetes promises
 * comparable resourceVersions since v1.35 (kubernetes/enhancements#5504).
 */
export function compareResourceVersions(a: string, b: string): number | null {
  if (!NUMBER.test(a) || !NUMBER.test(b)) return null;
  if (a.length !== b.length) return a.length - b.length;
  return a === b ? 0 : a < b ? -1 : 1;
}

const NUMBER = /^[1-9]\d*$/;

export function compareVersions(a: Versioned, b: Versioned): number {
  const left = numericVersionOf(a);
  const right = numericVersionOf(b);
  return left === null || right === null ? 0 : (compareResourceVersions(left, right) ?? 0);
}

/**
 * If versions have the same resourceVersion, keeps only the version that comes last in the array. Returns the array as
 * it is if a version has no numeric resourceVersion.
 */
export function oldestFirst<T extends Versioned>(versions: readonly T[]): readonly T[] {
  if (versions.some((version) => numericVersionOf(version) === null)) return versions;
  const sorted = versions.toSorted(compareVersions);
  return sorted.filter((version, index) => numericVersionOf(version) !== numericVersionOf(sorted[index + 1]));
}

export function newestOfEach<T extends Versioned>(objects: readonly T[], keyOf: (object: T) => string): readonly T[] {
  const newest = new Map<string, T>();
  for (const object of objects) {
    const known = newest.get(keyOf(object));
    if (known === undefined || compareVersions(object, known) >= 0) newest.set(keyOf(object), object);
  }
  return [...newest.values()];
}

function numericVersionOf(object: Versioned | undefined): string | null {
  const version = at(object?.raw, "metadata", "resourceVersion");
  const text = typeof version === "number" ? String(version) : textOf(version);
  return text !== null && NUMBER.test(text) ? text : null;
}
