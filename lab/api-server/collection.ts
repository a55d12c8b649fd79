import type { Raw } from "./container-statuses.ts";

export interface Stored {
  /** `NAMESPACE/NAME`, or `NAME` if the object has no namespace: lists are in this order. */
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The value of a field selector's path, e.g. `status.phase`; empty if the object has none. */
  field(path: string): string;
  raw(): Raw;
}

/** Objects that are built only on request. */
export interface LazyObjects {
  readonly count: number;
  at(index: number): Stored;
  firstAtOrAfter(key: string): number;
}

/** All objects of one kind, ordered by key. */
export interface Collection {
  readonly kind: string;
  readonly resource: string;
  /** The number of objects with a key at or after `from` and before `before`. */
  count(from: string, before: string): number;
  get(key: string): Stored | undefined;
  /** Adds or replaces; returns whether the object existed before. */
  put(raw: Raw): boolean;
  /** Returns the removed object. */
  remove(key: string): Raw | undefined;
  /** The objects whose key is at or after `key`, in order. */
  from(key: string): Generator<Stored>;
}

const NOTHING: LazyObjects = { count: 0, at: () => missing(), firstAtOrAfter: () => 0 };

function missing(): never {
  throw new Error("There is no such object");
}

export function collectionOf(kind: string, resource: string, lazy: LazyObjects = NOTHING): Collection {
  // null: a lazy object that has been removed.
  const own = new Map<string, Stored | null>();
  let ownKeys: string[] = [];
  const lazyAt = (key: string): Stored | undefined => {
    const index = lazy.firstAtOrAfter(key);
    const found = index < lazy.count ? lazy.at(index) : undefined;
    return found?.key === key ? found : undefined;
  };
  const get = (key: string): Stored | undefined => (own.has(key) ? (own.get(key) ?? undefined) : lazyAt(key));
  const set = (key: string, stored: Stored | null): void => {
    if (!own.has(key)) ownKeys = [...ownKeys, key].sort();
    own.set(key, stored);
  };
  return {
    kind,
    resource,
    count: (from, before) => {
      const keys = ownKeys.filter((key) => key >= from && key < before);
      const changes = keys.map((key) => Number(own.get(key) !== null) - Number(lazyAt(key) !== undefined));
      const ofLazy = lazy.firstAtOrAfter(before) - lazy.firstAtOrAfter(from);
      return changes.reduce((sum, change) => sum + change, ofLazy);
    },
    get,
    put: (raw) => {
      const key = keyOf(raw);
      const wasThere = get(key) !== undefined;
      set(key, storedOf(raw));
      return wasThere;
    },
    remove: (key) => {
      const raw = get(key)?.raw();
      if (raw !== undefined) set(key, null);
      return raw;
    },
    from: (key) => merged(lazy, key, ownKeys, own),
  };
}

function* merged(
  lazy: LazyObjects,
  start: string,
  ownKeys: readonly string[],
  own: ReadonlyMap<string, Stored | null>,
): Generator<Stored> {
  const waiting = ownKeys.filter((key) => key >= start);
  let next = 0;
  for (let index = lazy.firstAtOrAfter(start); index < lazy.count; index++) {
    const candidate = lazy.at(index);
    for (; next < waiting.length && (waiting[next] ?? "") < candidate.key; next++)
      yield* present(own.get(waiting[next] ?? ""));
    if (!own.has(candidate.key)) yield candidate;
  }
  for (; next < waiting.length; next++) yield* present(own.get(waiting[next] ?? ""));
}

function* present(stored: Stored | null | undefined): Generator<Stored> {
  if (stored) yield stored;
}

export function keyOf(raw: Raw): string {
  const { namespace, name } = raw["metadata"] as { namespace?: string; name: string };
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function storedOf(raw: Raw): Stored {
  const { labels = {} } = raw["metadata"] as { labels?: Record<string, string> };
  return { key: keyOf(raw), labels, field: (path) => fieldOf(raw, path), raw: () => raw };
}

function fieldOf(raw: Raw, path: string): string {
  const value = path.split(".").reduce<unknown>((current, step) => (current as Raw | undefined)?.[step], raw);
  return value === undefined ? "" : String(value);
}
