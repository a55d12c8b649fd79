import type { Raw } from "./container-statuses.ts";

export interface Stored {
  /** `NAMESPACE/NAME`, or `NAME` if the object has no namespace. */
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `path` is as in a field selector, e.g. `status.phase`. */
  field(path: string): string;
  raw(): Raw;
}

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

  put(stored: Stored): boolean {
    const wasThere = this.#stored.has(stored.key);
    this.#stored.set(stored.key, stored);
    if (!wasThere) this.#sortedKeys = null;
    return wasThere;
  }

  remove(key: string): Raw | undefined {
    const raw = this.get(key)?.raw();
    this.#stored.delete(key);
    this.#sortedKeys = null;
    return raw;
  }

  /**
   * A null `namespace` means all namespaces. `start` is the least name to return, or the least key if `namespace` is
   * null.
   */
  keys(namespace: string | null, start = ""): readonly string[] {
    const prefix = namespace === null ? "" : `${namespace}/`;
    // "0" is the character after "/", so `end` is the index after the last key that begins with `NAMESPACE/`.
    const end = namespace === null ? undefined : this.#indexOfFirstFrom(`${namespace}0`);
    return this.#sorted().slice(this.#indexOfFirstFrom(prefix + start), end);
  }

  all(namespace: string | null): readonly Stored[] {
    return this.keys(namespace).flatMap((key) => this.get(key) ?? []);
  }

  #sorted(): readonly string[] {
    this.#sortedKeys ??= [...this.#stored.keys()].sort();
    return this.#sortedKeys;
  }

  #indexOfFirstFrom(key: string): number {
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
  // The field selector `status.successful` of Jobs selects by `status.succeeded` (`JobToSelectableFields`,
  // pkg/registry/batch/job, v1.37.1).
  if (path === "status.successful") return fieldOf(raw, "status.succeeded") || "0";
  const value = path.split(".").reduce<unknown>((current, step) => (current as Raw | undefined)?.[step], raw);
  return value === undefined ? "" : String(value);
}
