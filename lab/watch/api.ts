import type { ApiAnswer, ApiStream, Connection } from "../../src/cluster/connection/connection.ts";
import { RequestFailure } from "../../src/cluster/connection/request-failure.ts";
import type { Timers } from "../../src/cluster/connection/timers.ts";
import type { Raw } from "../api-server/container-statuses.ts";
import { Logs, logQueryOf } from "../api-server/logs.ts";
import { Pipe } from "./pipe.ts";

export const LAB_PATHS = {
  pods: "/api/v1/namespaces/prod/pods",
  events: "/api/v1/namespaces/prod/events",
  nodes: "/api/v1/nodes",
  nodeEvents: "/api/v1/namespaces/default/events",
  config: "/api/v1/nodes/node-a/proxy/configz",
} as const;

export interface Stored {
  readonly metadata: { readonly name: string; readonly resourceVersion?: string };
}

interface Change {
  readonly path: string;
  readonly version: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Stored;
}

const REQUEST_TIMEOUT_MS = 10_000;

/** Like a watch cache: older versions get 410. */
const MOST_HISTORY = 2_000;

/**
 * An API server without a network, in virtual time. Its watches break in every way that a network knows. It ignores field
 * selectors.
 */
export class LabApi {
  /** Refuses every request, if not null. */
  refusal: Error | null = null;
  clockOffMs = 0;
  #isStalled = false;
  /** From when until when each watch delivered changes; null: it still does. */
  readonly lives: { readonly path: string; readonly fromMs: number; untilMs: number | null }[] = [];
  readonly logs = new Logs();
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

  /** The number of open watches. */
  get open(): number {
    return this.#pipes.size;
  }

  stored(path: string): readonly Stored[] {
    return [...(this.#collections.get(path)?.values() ?? [])];
  }

  put(path: string, raw: object): void {
    const object = raw as Stored;
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

  /** Forgets all changes, like a compaction of etcd. */
  compact(): void {
    this.#oldest = this.#version;
    this.#history = [];
  }

  /** Sends the latest changes again, the last one first. */
  tellAgain(count: number): void {
    for (const change of this.#history.slice(-count).reverse()) this.#tell(change);
  }

  each(act: (pipe: Pipe) => void): void {
    for (const pipe of [...this.#pipes.keys()]) act(pipe);
  }

  bookmark(): void {
    const object = { metadata: { resourceVersion: `${this.#version}` } };
    this.each((pipe) => pipe.send(JSON.stringify({ type: "BOOKMARK", object })));
  }

  connection(): Connection {
    return {
      server: "https://lab.example",
      namespace: "default",
      timeoutMs: REQUEST_TIMEOUT_MS,
      get: async (path, { parse, timeoutMs = REQUEST_TIMEOUT_MS } = {}) => {
        await this.#answering(timeoutMs);
        const answer = this.#get(path);
        return parse === undefined ? answer : { ...answer, body: parse(JSON.stringify(answer.body)) };
      },
      stream: async (path, { query, signal, timeoutMs = REQUEST_TIMEOUT_MS }) => {
        await this.#answering(timeoutMs);
        return path.endsWith("/log")
          ? this.#log(path, new URLSearchParams(query), signal)
          : this.#watch(path, Number(query["resourceVersion"]), signal);
      },
      close: () => {},
    };
  }

  /** Accepts everything for `ms`, and answers nothing. What is open stays silent after that, too. */
  stall(ms: number): void {
    this.#isStalled = true;
    this.each((pipe) => pipe.stall());
    this.#timers.after(ms, () => {
      this.#isStalled = false;
    });
  }

  async #answering(limitMs: number): Promise<void> {
    if (!this.#isStalled) return;
    const timeoutMs = Math.min(limitMs || Number.POSITIVE_INFINITY, REQUEST_TIMEOUT_MS);
    await new Promise<void>((resolve) => void this.#timers.after(timeoutMs, resolve));
    throw failure("timeout", 0);
  }

  #happen(path: string, type: Change["type"], object: Stored, store: (stored: Stored) => void): void {
    const version = ++this.#version;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: `${version}` } };
    store(stored);
    const change = { path, version, type, object: stored };
    this.#history.push(change);
    if (this.#history.length > MOST_HISTORY) this.#oldest = this.#history.shift()?.version ?? 0;
    this.#tell(change);
  }

  #tell(change: Change): void {
    for (const [pipe, path] of this.#pipes) if (path === change.path) pipe.send(lineOf(change));
  }

  #clockMs(): number {
    return Math.floor((this.#timers.nowMs() + this.clockOffMs) / 1000) * 1000;
  }

  #get(path: string): ApiAnswer {
    this.#ask(path, false);
    const serverClockMs = this.#clockMs();
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
    const life: LabApi["lives"][number] = { path, fromMs: this.#timers.nowMs(), untilMs: null };
    this.lives.push(life);
    const pipe = this.#open(path, signal, () => {
      life.untilMs ??= this.#timers.nowMs();
    });
    for (const change of this.#history) if (change.path === path && change.version > since) pipe.send(lineOf(change));
    return pipe.stream(this.#clockMs());
  }

  #log(path: string, query: URLSearchParams, signal: AbortSignal): ApiStream {
    this.#ask(path, false);
    if (signal.aborted) throw failure("unreachable", 0);
    const [collection = "", name = ""] = path.split(/\/(?=[^/]+\/log$)|\/log$/);
    const pod = this.#collections.get(collection)?.get(name);
    if (pod === undefined) throw failure("not-found", 404);
    let forget = (): void => {};
    const pipe = this.#open(path, signal, () => forget());
    const send = (text: string): void => pipe.send(text.trimEnd());
    const drop = (): void => pipe.end(failure("unreachable", 0));
    const served = this.logs.serve(pod as unknown as Raw, logQueryOf(query), { send, end: () => pipe.end(), drop });
    if (typeof served !== "function") throw failure("server-error", served.status);
    forget = served;
    return pipe.stream(this.#clockMs());
  }

  /** `onDead`: nothing gets through any more. */
  #open(path: string, signal: AbortSignal, onDead: () => void): Pipe {
    const abort = (): void => pipe.end(failure("unreachable", 0));
    const pipe: Pipe = new Pipe(onDead, () => {
      this.#pipes.delete(pipe);
      signal.removeEventListener("abort", abort);
    });
    signal.addEventListener("abort", abort);
    this.#pipes.set(pipe, path);
    return pipe;
  }

  #ask(path: string, isWatch: boolean): void {
    this.asked.push({ path, isWatch, atMs: this.#timers.nowMs() });
    if (this.refusal !== null) throw this.refusal;
  }
}

export function failure(kind: RequestFailure["kind"], status: number): RequestFailure {
  return new RequestFailure(kind, { message: `it was asked to fail as ${kind}`, status });
}

function lineOf({ type, object }: Change): string {
  return JSON.stringify({ type, object });
}
