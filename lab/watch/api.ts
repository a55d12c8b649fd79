import {
  type ApiAnswer,
  type ApiStream,
  type Connection,
  type GetOptions,
  readAnswer,
} from "../../src/cluster/connection/connection.ts";
import { RequestFailure } from "../../src/cluster/connection/request-failure.ts";
import type { Timers } from "../../src/cluster/connection/timers.ts";
import { answer, type StreamedAnswer, targetOf, type WholeAnswer } from "../api-server/answer.ts";
import { keyOf } from "../api-server/collection.ts";
import type { Raw } from "../api-server/container-statuses.ts";
import type { Logs } from "../api-server/logs.ts";
import { piecesOf } from "../api-server/send.ts";
import { State } from "../api-server/state.ts";
import type { Watches } from "../api-server/watches.ts";
import { Pipe } from "./pipe.ts";

export const LAB_PATHS = {
  pods: "/api/v1/namespaces/prod/pods",
  events: "/api/v1/namespaces/prod/events",
  nodes: "/api/v1/nodes",
  nodeEvents: "/api/v1/namespaces/default/events",
  config: "/api/v1/nodes/node-a/proxy/configz",
} as const;

const SERVER = "https://lab.example";
const REQUEST_TIMEOUT_MS = 10_000;

export class LabApi {
  refusal: Error | null = null;
  clockOffMs = 0;
  #isStalled = false;
  /** When each watch delivered changes; `untilMs` is null while the watch still does. */
  readonly lives: { readonly path: string; readonly fromMs: number; untilMs: number | null }[] = [];
  readonly asked: { readonly path: string; readonly isWatch: boolean; readonly atMs: number }[] = [];
  readonly #timers: Timers;
  readonly #state: State;
  readonly #pipes = new Set<Pipe>();

  constructor(timers: Timers) {
    this.#timers = timers;
    // `after` does nothing, so the server does not end a watch after its timeoutSeconds.
    this.#state = new State({ clock: () => timers.nowMs() + this.clockOffMs, after: () => {}, hasTables: false });
  }

  get logs(): Logs {
    return this.#state.logs;
  }

  get watches(): Watches {
    return this.#state.watches;
  }

  get open(): number {
    return this.#pipes.size;
  }

  stored(path: string): readonly Raw[] {
    const { collection, namespace } = this.#targetOf(path);
    return collection.all(namespace).map((one) => one.raw());
  }

  /** Adds or replaces an object, whose kind and namespace are those of `path`. */
  put(path: string, raw: object): void {
    const { collection, namespace } = this.#targetOf(path);
    const { metadata, ...rest } = raw as Raw;
    const place = namespace === null ? {} : { namespace };
    this.#state.put({ ...rest, kind: collection.kind, metadata: { ...(metadata as Raw), ...place } });
  }

  remove(path: string, name: string): void {
    const { collection, namespace } = this.#targetOf(path);
    const key = keyOf(namespace, name);
    if (collection.get(key) !== undefined) this.#state.remove(key, collection.kind);
  }

  /** Sets the answer to `path`, which may include the query. */
  on(path: string, body: object | string): void {
    const isText = typeof body === "string";
    const text = isText ? body : JSON.stringify(body);
    this.#state.fixed.set(path, { text, type: isText ? "text/plain" : "application/json" });
  }

  each(act: (pipe: Pipe) => void): void {
    for (const pipe of [...this.#pipes]) act(pipe);
  }

  connection(): Connection {
    return {
      server: SERVER,
      namespace: "default",
      timeoutMs: REQUEST_TIMEOUT_MS,
      get: async (path, { timeoutMs = REQUEST_TIMEOUT_MS, ...options } = {}) => {
        await this.#answering(timeoutMs);
        return this.#get(path, options);
      },
      stream: async (path, { query, signal, timeoutMs = REQUEST_TIMEOUT_MS }) => {
        await this.#answering(timeoutMs);
        return this.#stream(path, query, signal);
      },
      close: () => {},
    };
  }

  /** For `ms`, accepts requests but does not answer. Watches and logs that are open stay silent after that, too. */
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

  #targetOf(path: string) {
    const target = targetOf(path, this.#state.collections);
    if (target === null) throw new Error(`The lab has nothing at ${path}`);
    return target;
  }

  #read(answered: WholeAnswer, parse?: GetOptions["parse"]): ApiAnswer {
    const text = [...piecesOf(answered)].join("");
    return readAnswer({ status: answered.status, headers: { date: this.#date() }, text }, parse);
  }

  #sending(answered: WholeAnswer): StreamedAnswer["follow"] {
    const { body } = this.#read(answered, (text) => text);
    return (client) => {
      if (body !== "") client.send(String(body));
      client.end();
      return () => {};
    };
  }

  #get(path: string, { query, accept, parse }: GetOptions): ApiAnswer {
    const answered = this.#answer(path, query, false, accept);
    if ("follow" in answered) throw new Error("Follow this by stream()");
    return this.#read(answered, parse);
  }

  #stream(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): ApiStream {
    const isWatch = query["watch"] === "true";
    const answered = this.#answer(path, query, isWatch);
    if (signal.aborted) throw failure("unreachable", 0);
    const follow = "follow" in answered ? answered.follow : this.#sending(answered);
    let forget = (): void => {};
    const abort = (): void => pipe.end(failure("unreachable", 0));
    const onDead = isWatch ? this.#beginLife(path) : () => {};
    const pipe: Pipe = new Pipe(onDead, () => {
      this.#pipes.delete(pipe);
      signal.removeEventListener("abort", abort);
      forget();
    });
    signal.addEventListener("abort", abort);
    this.#pipes.add(pipe);
    forget = follow({ send: (text) => pipe.send(text.trimEnd()), end: () => pipe.end(), drop: abort });
    return pipe.stream(Date.parse(this.#date()));
  }

  #beginLife(path: string): () => void {
    const life: LabApi["lives"][number] = { path, fromMs: this.#timers.nowMs(), untilMs: null };
    this.lives.push(life);
    return () => {
      life.untilMs ??= this.#timers.nowMs();
    };
  }

  #answer(path: string, query: GetOptions["query"], isWatch: boolean, accept?: string) {
    this.asked.push({ path, isWatch, atMs: this.#timers.nowMs() });
    if (this.refusal !== null) throw this.refusal;
    return answer({ url: new URL(`${path}?${new URLSearchParams(query)}`, SERVER), accept }, this.#state);
  }

  #date(): string {
    return new Date(this.#state.now()).toUTCString();
  }
}

export function failure(kind: RequestFailure["kind"], status: number): RequestFailure {
  return new RequestFailure(kind, { message: `it was asked to fail as ${kind}`, status });
}
