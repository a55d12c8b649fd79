import { at, textOf } from "../objects/untrusted.ts";
import { compareResourceVersions } from "../objects/versions.ts";

/** An answer that is told again is told soon: more objects need not be remembered. */
const MOST_KNOWN = 1_000;

/**
 * Which resourceVersions of objects were told already. A load balancer, a proxy or a server that lags behind may tell a change
 * again, or after a later one: what is older than what is known is no news.
 */
export class ToldVersions {
  readonly #told = new Map<string, string>();
  /** What a watch tells is later than what it began after. */
  #since: string | null = null;

  /** A watch begins after this resourceVersion. */
  beginAfter(version: string): void {
    this.#since = version;
  }

  /** Everything is listed anew: what was known before is void, for a restored server counts from lower numbers. */
  clear(): void {
    this.#told.clear();
    this.#since = null;
  }

  /**
   * Whether this is news; remembers it then. Versions that are no numbers cannot be compared: what differs is news. A deletion
   * may have the version of the last change.
   */
  take(object: unknown, isDeletion: boolean): boolean {
    const version = versionOf(object);
    if (version === null) return true;
    const key = textOf(at(object, "metadata", "uid")) ?? nameOf(object);
    const known = [this.#told.get(key), this.#since];
    if (known.some((told) => told != null && !(isLater(version, told) || (isDeletion && version === told))))
      return false;
    this.#told.delete(key);
    this.#told.set(key, version);
    if (this.#told.size > MOST_KNOWN) this.#told.delete(this.#told.keys().next().value ?? "");
    return true;
  }
}

/** `metadata.resourceVersion`. */
export function versionOf(object: unknown): string | null {
  return textOf(at(object, "metadata", "resourceVersion"));
}

/** Whether the first resourceVersion is of a later moment. Where either is no number: whether they differ. */
export function isLater(version: string, than: string): boolean {
  const order = compareResourceVersions(version, than);
  return order === null ? version !== than : order > 0;
}

function nameOf(object: unknown): string {
  return `${textOf(at(object, "metadata", "namespace")) ?? ""}/${textOf(at(object, "metadata", "name")) ?? ""}`;
}
