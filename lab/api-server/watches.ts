import type { ServerResponse } from "node:http";
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
  readonly response: ServerResponse;
}

/** The initial objects have lower versions. */
const FIRST_VERSION = 1_000_000;

/** The resourceVersions, what changed since when, and the clients that are told of it. */
export class Watches {
  /** The newest version, and the oldest that can still be read. */
  version = FIRST_VERSION;
  oldestVersion = FIRST_VERSION;
  readonly #open = new Set<Watch>();
  readonly #silent = new Set<Watch>();
  readonly #history: Change[] = [];

  count(): number {
    return this.#open.size;
  }

  drop(): void {
    for (const watch of this.#open) watch.response.destroy();
    this.#open.clear();
  }

  /** The connections stay open, but send nothing more. */
  silence(): void {
    for (const watch of this.#open) this.#silent.add(watch);
  }

  /** Forgets the history: open watches get 410 and end, and so do watches and lists that go on from an older version. */
  expire(): void {
    this.oldestVersion = ++this.version;
    for (const watch of this.#open) this.#refuse(watch, this.version);
  }

  send(text: string): void {
    for (const watch of this.#open) this.#speak(watch, text);
  }

  tell(change: Change): void {
    this.#history.push(change);
    for (const watch of this.#open) this.#report(watch, change);
  }

  open(watch: Watch): void {
    watch.response.writeHead(200, { "Content-Type": "application/json" }).flushHeaders();
    this.#open.add(watch);
    watch.response.on("close", () => this.#open.delete(watch));
    const since = Number(watch.query.get("resourceVersion") || 0);
    if (since !== 0 && since < this.oldestVersion) {
      this.#refuse(watch, since);
      return;
    }
    const missed = since === 0 ? presentIn(watch) : this.#history.filter(({ version }) => version > since);
    for (const change of missed) this.#report(watch, change);
    const seconds = Number(watch.query.get("timeoutSeconds"));
    if (seconds > 0) setTimeout(() => this.#end(watch), seconds * 1000).unref();
  }

  #speak(watch: Watch, text: string): void {
    if (!this.#silent.has(watch)) watch.response.write(text);
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
    watch.response.end();
  }
}

function line(type: string, object: Raw): string {
  return `${JSON.stringify({ type, object })}\n`;
}

function isMeant({ namespace, selects }: Watch, stored: Stored): boolean {
  return (namespace === null || stored.key.startsWith(`${namespace}/`)) && selects(stored);
}

function presentIn({ collection, namespace }: Watch) {
  const stored = collection.keys(namespace).flatMap((key) => collection.get(key) ?? []);
  return stored.map((one) => ({ type: "ADDED" as const, collection, raw: one.raw() }));
}
