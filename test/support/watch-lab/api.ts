import type { ApiAnswer, ApiStream, Connection } from "../../../src/cluster/connect.ts";
import { RequestFailure } from "../../../src/cluster/request-failure.ts";
import type { Timers } from "../../../src/cluster/watch-timers.ts";
import { Pipe } from "./pipe.ts";

/** An object as the API server has it. */
export interface Stored {
  readonly metadata: { readonly name: string; readonly resourceVersion?: string };
}

interface Change {
  readonly path: string;
  readonly version: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Stored;
}

/**
 * An API server without a network, for time that is compressed: collections by their path, a history that can be forgotten,
 * watches that break in every way a network knows. Field selectors are taken to select all.
 */
export class LabApi {
  /** What refuses every request: null if nothing does. */
  refusal: RequestFailure | null = null;
  readonly asked: { readonly path: string; readonly isWatch: boolean; readonly atMs: number }[] = [];
  readonly #timers: Timers;
  readonly #collections = new Map<string, Map<string, Stored>>();
  readonly #pipes = new Map<Pipe, string>();
  #history: Change[] = [];
  #version = 100;
  #oldest = 100;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** How many watches are open. */
  get open(): number {
    return this.#pipes.size;
  }

  put(path: string, object: Stored): void {
    const collection = this.#collections.get(path) ?? new Map<string, Stored>();
    this.#collections.set(path, collection);
    const { name } = object.metadata;
    this.#happen(path, collection.has(name) ? "MODIFIED" : "ADDED", object, (stored) => collection.set(name, stored));
  }

  remove(path: string, name: string): void {
    const collection = this.#collections.get(path);
    const object = collection?.get(name);
    if (object !== undefined) this.#happen(path, "DELETED", object, () => collection?.delete(name));
  }

  /** Forgets all changes so far, as etcd does when it is compacted. */
  compact(): void {
    this.#oldest = this.#version;
    this.#history = [];
  }

  /** Does this to every watch that is open. */
  each(act: (pipe: Pipe) => void): void {
    for (const pipe of [...this.#pipes.keys()]) act(pipe);
  }

  bookmark(): void {
    const object = { metadata: { resourceVersion: `${this.#version}` } };
    this.each((pipe) => pipe.send(JSON.stringify({ type: "BOOKMARK", object })));
  }

  /** What a client has of it. */
  connection(): Connection {
    return {
      server: "https://lab.example",
      namespace: "default",
      timeoutMs: 10_000,
      get: async (path, { parse } = {}) => {
        const answer = this.#get(path);
        return parse === undefined ? answer : { ...answer, body: parse(JSON.stringify(answer.body)) };
      },
      stream: async (path, { query, signal }) => this.#watch(path, Number(query["resourceVersion"]), signal),
      close: () => {},
    };
  }

  #happen(path: string, type: Change["type"], object: Stored, store: (stored: Stored) => void): void {
    const version = ++this.#version;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: `${version}` } };
    store(stored);
    const change = { path, version, type, object: stored };
    this.#history.push(change);
    for (const [pipe, watched] of this.#pipes) if (watched === path) pipe.send(lineOf(change));
  }

  #get(path: string): ApiAnswer {
    this.#ask(path, false);
    const serverClockMs = Math.floor(this.#timers.nowMs() / 1000) * 1000;
    const collection = this.#collections.get(path);
    const slash = path.lastIndexOf("/");
    const object = this.#collections.get(path.slice(0, slash))?.get(path.slice(slash + 1));
    if (object !== undefined) return { body: object, serverClockMs };
    if (collection === undefined && !/\/(pods|events)$/.test(path)) throw failure("not-found", 404);
    const metadata = { resourceVersion: `${this.#version}` };
    return { body: { metadata, items: [...(collection?.values() ?? [])] }, serverClockMs };
  }

  #watch(path: string, since: number, signal: AbortSignal): ApiStream {
    this.#ask(path, true);
    if (signal.aborted) throw failure("unreachable", 0);
    if (since < this.#oldest) throw failure("server-error", 410);
    const pipe: Pipe = new Pipe(() => {
      this.#pipes.delete(pipe);
      signal.removeEventListener("abort", abort);
    });
    const abort = (): void => pipe.end(failure("unreachable", 0));
    signal.addEventListener("abort", abort);
    this.#pipes.set(pipe, path);
    for (const change of this.#history) if (change.path === path && change.version > since) pipe.send(lineOf(change));
    return pipe.stream(Math.floor(this.#timers.nowMs() / 1000) * 1000);
  }

  #ask(path: string, isWatch: boolean): void {
    this.asked.push({ path, isWatch, atMs: this.#timers.nowMs() });
    if (this.refusal !== null) throw this.refusal;
  }
}

/** A request that fails like this. */
export function failure(kind: RequestFailure["kind"], status: number): RequestFailure {
  return new RequestFailure(kind, { message: `it was asked to fail as ${kind}`, status });
}

function lineOf({ type, object }: Change): string {
  return JSON.stringify({ type, object });
}
