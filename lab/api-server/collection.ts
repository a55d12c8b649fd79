import type { Raw } from "./container-statuses.ts";

export interface Stored {
  /** `NAMESPACE/NAME`, or `NAME` if the object has no namespace: lists are in this order. */
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The value of a field selector's path, e.g. `status.phase`; empty if the object has none. */
  field(path: string): string;
  raw(): Raw;
}

/** All objects of one kind, in the order of their keys. */
export class Collection {
  readonly kind: string;
  readonly resource: string;
  readonly #stored = new Map<string, Stored>();
  #sortedKeys: readonly string[] | null = null;

  constructor(kind: string, resource: string) {
    this.kind = kind;
    this.resource = resource;
  }

  get(key: string): Stored | undefined {
    return this.#stored.get(key);
  }

  /** Adds or replaces an object. Returns whether it existed before. */
  put(stored: Stored): boolean {
    const wasThere = this.#stored.has(stored.key);
    this.#stored.set(stored.key, stored);
    if (!wasThere) this.#sortedKeys = null;
    return wasThere;
  }

  /** Returns the removed object. */
  remove(key: string): Raw | undefined {
    const raw = this.get(key)?.raw();
    this.#stored.delete(key);
    this.#sortedKeys = null;
    return raw;
  }

  /** The keys of a namespace, or of all namespaces (null), in order. `start`: the first name to return, or the first key with null. */
  keys(namespace: string | null, start = ""): readonly string[] {
    const prefix = namespace === null ? "" : `${namespace}/`;
    // "0" is the character after "/".
    const end = namespace === null ? undefined : this.#indexOf(`${namespace}0`);
    return this.#sorted().slice(this.#indexOf(prefix + start), end);
  }

  /** The objects of a namespace, or of all namespaces (null), in order. */
  all(namespace: string | null): readonly Stored[] {
    return this.keys(namespace).flatMap((key) => this.get(key) ?? []);
  }

  #sorted(): readonly string[] {
    this.#sortedKeys ??= [...this.#stored.keys()].sort();
    return this.#sortedKeys;
  }

  /** The index of the first key that is not before `key`. */
  #indexOf(key: string): number {
    const keys = this.#sorted();
    const index = keys.findIndex((candidate) => candidate >= key);
    return index === -1 ? keys.length : index;
  }
}

export function storedOf(raw: Raw): Stored {
  const { namespace, name, labels = {} } = raw["metadata"] as Metadata;
  return { key: keyOf(namespace, name), labels, field: (path) => fieldOf(raw, path), raw: () => raw };
}

interface Metadata {
  readonly namespace?: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export function keyOf(namespace: string | null | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}

function fieldOf(raw: Raw, path: string): string {
  // The field of Jobs that is named otherwise in the object (`JobToSelectableFields`, pkg/registry/batch/job, v1.37.1).
  if (path === "status.successful") return fieldOf(raw, "status.succeeded") || "0";
  const value = path.split(".").reduce<unknown>((current, step) => (current as Raw | undefined)?.[step], raw);
  return value === undefined ? "" : String(value);
}
