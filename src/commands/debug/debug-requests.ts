import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";

/**
 * Prints a line for each HTTP request, retries included, and each run of a credential plugin, as Node's diagnostics
 * channels report them. `kind` is the kind of the credentials. The caller calls the returned function before each
 * request.
 */
export function traceRequests(say: (line: string) => void, kind: string): () => void {
  const trace = new RequestTrace(say, kind);
  listen({
    "http.client.request.start": (message) => trace.started(requestIn(message)),
    "http.client.response.finish": (message) =>
      trace.answered(requestIn(message), (message as { response: IncomingMessage }).response),
    "http.client.request.error": (message) => trace.failed(requestIn(message), (message as { error: unknown }).error),
    child_process: (message) => trace.pluginStarted((message as { process: ChildProcess }).process),
  });
  return () => trace.wanted();
}

let listening: Readonly<Record<string, (message: unknown) => void>> = {};

/** Replaces the listeners of an earlier trace, because Node's channels exist once per process. */
function listen(listeners: typeof listening): void {
  for (const [channel, listener] of Object.entries(listening)) unsubscribe(channel, listener);
  for (const [channel, listener] of Object.entries(listeners)) subscribe(channel, listener);
  listening = listeners;
}

function requestIn(message: unknown): ClientRequest {
  return (message as { request: ClientRequest }).request;
}

class RequestTrace {
  readonly #say: (line: string) => void;
  readonly #kind: string;
  #credentialsWantedAtMs: number | null = null;
  #areCredentialsReported = false;
  #pluginRuns = 0;
  readonly #sentAtMs = new WeakMap<ClientRequest, number>();
  /** Sockets that have had an answer. Node's `reusedSocket` alone is false if a request waited for the socket. */
  readonly #known = new WeakSet<object>();
  readonly #failures = new Map<string, number>();

  constructor(say: (line: string) => void, kind: string) {
    this.#say = say;
    this.#kind = kind;
  }

  wanted(): void {
    this.#credentialsWantedAtMs ??= performance.now();
  }

  pluginStarted(plugin: ChildProcess): void {
    const count = ++this.#pluginRuns;
    const startedAtMs = performance.now();
    plugin.once("close", (code) => {
      const result = code === 0 ? "" : `, exit code ${code}`;
      this.#say(`plugin run ${count}, ${passed(startedAtMs)} ms${result}`);
    });
  }

  started(request: ClientRequest): void {
    this.#reportCredentials();
    this.#sentAtMs.set(request, performance.now());
  }

  /** Prints the credentials when the first request is sent, because only then are they complete. */
  #reportCredentials(): void {
    if (this.#areCredentialsReported || this.#credentialsWantedAtMs === null) return;
    this.#areCredentialsReported = true;
    const runs = this.#pluginRuns;
    const run = runs === 0 ? "" : runs === 1 ? ", run once" : `, run ${runs} times`;
    this.#say(`credentials ${this.#kind}${run}, ${passed(this.#credentialsWantedAtMs)} ms`);
  }

  answered(request: ClientRequest, response: IncomingMessage): void {
    const status = response.statusCode ?? 0;
    const begin = `request ${lineOf(request)} ${status}`;
    const isReused = request.reusedSocket || this.#known.has(response.socket);
    this.#known.add(response.socket);
    const how = `${isReused ? "reused" : "new"} connection${this.#retryOf(request, status < 400)}`;
    const sentAtMs = this.#sentAtMs.get(request);
    let bytes = 0;
    const push = response.push.bind(response);
    response.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      bytes += chunk instanceof Uint8Array ? chunk.length : 0;
      return push(chunk, encoding);
    };
    const isWatch = /[?&]watch=/.test(request.path);
    if (isWatch) this.#say(`${begin} begun ${passed(sentAtMs)} ms ${how}`);
    response.once("close", () => {
      const cut = response.complete ? "" : " broken off";
      this.#say(`${begin} ${bytes} bytes ${passed(sentAtMs)} ms ${how}${cut}`);
    });
  }

  failed(request: ClientRequest, error: unknown): void {
    const { code = "error", name = "" } = (error ?? {}) as { code?: string; name?: string };
    const cause = name === "AbortError" ? "aborted" : code;
    const ms = passed(this.#sentAtMs.get(request));
    this.#say(`request ${lineOf(request)} failed ${cause} ${ms} ms${this.#retryOf(request, false)}`);
  }

  /** Counts failed tries of the same request. Returns e.g. " retry 2" if the two tries before failed, else "". */
  #retryOf({ method, host, path }: ClientRequest, isGood: boolean): string {
    const what = `${method} ${host} ${path}`;
    const failures = this.#failures.get(what) ?? 0;
    if (isGood) this.#failures.delete(what);
    else this.#failures.set(what, failures + 1);
    return failures === 0 ? "" : ` retry ${failures}`;
  }
}

function passed(sinceMs = performance.now()): number {
  return Math.round(performance.now() - sinceMs);
}

/** The method and the path with its query. Long values, such as a page's `continue` token, are cut. */
function lineOf({ method, path }: ClientRequest): string {
  return `${method} ${path.replaceAll(/=[^&]{100,}/g, (value) => `${value.slice(0, 40)}...`)}`;
}
