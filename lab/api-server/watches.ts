import type { Client } from "./client.ts";
import { type Collection, type Stored, storedOf } from "./collection.ts";
import type { Raw } from "./container-statuses.ts";
import type { Selects } from "./selectors.ts";
import { refusal } from "./status-answers.ts";

interface Change {
  readonly version: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly collection: Collection;
  readonly raw: Raw;
}

interface Watch {
  readonly collection: Collection;
  readonly namespace: string | null;
  readonly query: URLSearchParams;
  readonly selects: Selects;
  readonly client: Client;
}

/** Higher than the resourceVersions of the pods of a crowd, which begin at 1,000. */
const FIRST_VERSION = 1_000_000;

/** When the server forgets a change, a watch from before that change gets 410. */
const MOST_HISTORY = 2_000;

export class Watches {
  version = FIRST_VERSION;
  oldestVersion = FIRST_VERSION;
  readonly #open = new Set<Watch>();
  readonly #silent = new Set<Watch>();
  readonly #after: (ms: number, act: () => void) => void;
  #history: Change[] = [];

  constructor(after: (ms: number, act: () => void) => void) {
    this.#after = after;
  }

  count(): number {
    return this.#open.size;
  }

  drop(): void {
    for (const watch of this.#open) watch.client.drop();
    this.#open.clear();
  }

  silence(): void {
    for (const watch of this.#open) this.#silent.add(watch);
  }

  /** Forgets the history, like a compaction of etcd. */
  compact(): void {
    this.oldestVersion = this.version;
    this.#history = [];
  }

  expire(): void {
    this.version++;
    this.compact();
    for (const watch of this.#open) this.#refuse(watch, this.version);
  }

  send(text: string): void {
    for (const watch of this.#open) this.#speak(watch, text);
  }

  bookmark(): void {
    const metadata = { resourceVersion: `${this.version}` };
    for (const watch of this.#open)
      this.#speak(watch, line("BOOKMARK", { kind: watch.collection.kind, apiVersion: "v1", metadata }));
  }

  repeat(count: number): void {
    for (const change of this.#history.slice(-count).reverse())
      for (const watch of this.#open) this.#report(watch, change);
  }

  tell(change: Change): void {
    this.#history.push(change);
    if (this.#history.length > MOST_HISTORY) this.oldestVersion = this.#history.shift()?.version ?? 0;
    for (const watch of this.#open) this.#report(watch, change);
  }

  open(watch: Watch): () => void {
    this.#open.add(watch);
    const forget = (): void => void this.#open.delete(watch);
    const since = Number(watch.query.get("resourceVersion") || 0);
    if (since !== 0 && since < this.oldestVersion) {
      this.#refuse(watch, since);
      return forget;
    }
    const missed = since === 0 ? presentIn(watch) : this.#history.filter(({ version }) => version > since);
    for (const change of missed) this.#report(watch, change);
    const seconds = Number(watch.query.get("timeoutSeconds"));
    if (seconds > 0) this.#after(seconds * 1000, () => this.#end(watch));
    return forget;
  }

  #speak(watch: Watch, text: string): void {
    if (!this.#silent.has(watch)) watch.client.send(text);
  }

  #report(watch: Watch, change: Pick<Change, "type" | "collection" | "raw">): void {
    const { type, collection, raw } = change;
    const object = { kind: collection.kind, apiVersion: "v1", ...raw };
    if (collection === watch.collection && isMeant(watch, storedOf(raw))) this.#speak(watch, line(type, object));
  }

  #refuse(watch: Watch, since: number): void {
    const { body } = refusal(410, `too old resource version: ${since} (${this.oldestVersion})`);
    this.#speak(watch, line("ERROR", body));
    this.#end(watch);
  }

  #end(watch: Watch): void {
    this.#open.delete(watch);
    watch.client.end();
  }
}

function line(type: string, object: Raw): string {
  return `${JSON.stringify({ type, object })}\n`;
}

function isMeant({ namespace, selects }: Watch, stored: Stored): boolean {
  return (namespace === null || stored.key.startsWith(`${namespace}/`)) && selects(stored);
}

function presentIn({ collection, namespace }: Watch) {
  return collection.all(namespace).map((one) => ({ type: "ADDED" as const, collection, raw: one.raw() }));
}
