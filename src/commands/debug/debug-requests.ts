import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";

/** Runs what asks the server, and tells what comes of it. */
export type Asking = <T>(ask: () => Promise<T>) => Promise<T>;

/**
 * Tells of every request that is sent from here on, by what is said on Node's diagnostics channels, so that nothing has to be
 * traced where nobody asks: a retry is one more request for the same. `kind`: of the credentials, which are told when they are
 * there.
 */
export function traceRequests(say: (line: string) => void, kind: string): Asking {
  const requests = new RequestLines(say);
  const credentials = new CredentialLines(say, kind);
  listen({
    "http.client.request.start": (message) => {
      credentials.obtained();
      requests.started(requestIn(message));
    },
    "http.client.response.finish": (message) =>
      requests.answered(requestIn(message), (message as { response: IncomingMessage }).response),
    "http.client.request.error": (message) =>
      requests.failed(requestIn(message), (message as { error: unknown }).error),
    child_process: (message) => credentials.ran((message as { process: ChildProcess }).process),
  });
  return (ask) => {
    credentials.wanted();
    return ask();
  };
}

let listening: Readonly<Record<string, (message: unknown) => void>> = {};

/** Node's channels are those of the process: whoever listened before has heard enough. */
function listen(listeners: typeof listening): void {
  for (const [channel, listener] of Object.entries(listening)) unsubscribe(channel, listener);
  for (const [channel, listener] of Object.entries(listeners)) subscribe(channel, listener);
  listening = listeners;
}

function requestIn(message: unknown): ClientRequest {
  return (message as { request: ClientRequest }).request;
}

/** One line for each request, when its answer is all there. */
class RequestLines {
  readonly #say: (line: string) => void;
  readonly #sentAtMs = new WeakMap<ClientRequest, number>();
  /** Connections that have brought an answer. Node marks none that a request has waited for. */
  readonly #known = new WeakSet<object>();
  /** How often the same was asked for in vain. */
  readonly #failures = new Map<string, number>();

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  started(request: ClientRequest): void {
    this.#sentAtMs.set(request, performance.now());
  }

  answered(request: ClientRequest, response: IncomingMessage): void {
    const status = response.statusCode ?? 0;
    const told = `${whatIsAsked(request)} ${status}`;
    const isReused = request.reusedSocket || this.#known.has(response.socket);
    this.#known.add(response.socket);
    const how = this.#how(request, status, isReused);
    let bytes = 0;
    const push = response.push.bind(response);
    response.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      bytes += chunk instanceof Uint8Array ? chunk.length : 0;
      return push(chunk, encoding);
    };
    if (isStream(request)) this.#say(`request ${told} begun ${this.#passed(request)} ms ${how}`);
    response.once("close", () => {
      const isCut = response.complete ? "" : " broken off";
      this.#say(`request ${told} ${bytes} bytes ${this.#passed(request)} ms ${how}${isCut}`);
    });
  }

  failed(request: ClientRequest, error: unknown): void {
    const { code = "error", name = "" } = (error ?? {}) as { code?: string; name?: string };
    const cause = name === "AbortError" ? "aborted" : code;
    this.#say(
      `request ${whatIsAsked(request)} failed ${cause} ${this.#passed(request)} ms${this.#tryOf(request, false)}`,
    );
  }

  #how(request: ClientRequest, status: number, isReused: boolean): string {
    return `${isReused ? "reused" : "new"} connection${this.#tryOf(request, status < 400)}`;
  }

  #passed(request: ClientRequest): number {
    const sentAtMs = this.#sentAtMs.get(request);
    return sentAtMs === undefined ? 0 : Math.round(performance.now() - sentAtMs);
  }

  #tryOf({ method, host, path }: ClientRequest, isGood: boolean): string {
    const what = `${method} ${host} ${path}`;
    const failures = this.#failures.get(what) ?? 0;
    if (isGood) this.#failures.delete(what);
    else this.#failures.set(what, failures + 1);
    return failures === 0 ? "" : ` retry ${failures}`;
  }
}

/** The method and the path with its query; a long value, such as the token of a page, is cut. */
function whatIsAsked({ method, path }: ClientRequest): string {
  return `${method} ${path.replaceAll(/=[^&]{100,}/g, (value) => `${value.slice(0, 40)}...`)}`;
}

function isStream({ path }: ClientRequest): boolean {
  return /[?&]watch=/.test(path);
}

/** One line each time that credentials were got: with the first request, and whenever a plugin has run. */
class CredentialLines {
  readonly #say: (line: string) => void;
  readonly #kind: string;
  #wantedAtMs: number | null = null;
  #isTold = false;
  #runs = 0;

  constructor(say: (line: string) => void, kind: string) {
    this.#say = say;
    this.#kind = kind;
  }

  /** A request is about to be made, which needs them. */
  wanted(): void {
    this.#wantedAtMs ??= performance.now();
  }

  /** A plugin has been started. */
  ran(plugin: ChildProcess): void {
    this.#runs++;
    const startedAtMs = performance.now();
    const count = this.#runs;
    plugin.once("close", (code) => {
      const result = code === 0 ? "" : `, exit code ${code}`;
      this.#say(`plugin run ${count}, ${Math.round(performance.now() - startedAtMs)} ms${result}`);
    });
  }

  /** A request is sent: they are there. */
  obtained(): void {
    if (this.#isTold || this.#wantedAtMs === null) return;
    this.#isTold = true;
    const run = this.#runs === 0 ? "" : this.#runs === 1 ? ", run once" : `, run ${this.#runs} times`;
    this.#say(`credentials ${this.#kind}${run}, ${Math.round(performance.now() - this.#wantedAtMs)} ms`);
  }
}
