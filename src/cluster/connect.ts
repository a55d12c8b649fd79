import type { RequestOptions } from "node:https";
import { reserveStream } from "./connection-pool.ts";
import { credentialsOf } from "./credentials.ts";
import { type HttpAnswer, httpGet } from "./http-get.ts";
import { type ContextOptions, chooseContext } from "./kubeconfig.ts";
import { RenewableCredentials } from "./renewable-credentials.ts";
import { kindOfStatus, RequestFailure } from "./request-failure.ts";
import { at, textOf } from "./untrusted.ts";
import { type HttpStream, openStream } from "./watch-stream.ts";

/** One API server, seen with one user's rights. It can only read: there is no other request than GET. */
export interface Connection {
  /** The API server's address, for messages. */
  readonly server: string;
  /** The namespace that is meant where none is named. */
  readonly namespace: string;
  /** The limit of a request that has none of its own; 0 is none. */
  readonly timeoutMs: number;
  /** `path` starts with a slash and is encoded. A RequestFailure without a usable answer, a UserError without credentials. */
  get(path: string, options?: GetOptions): Promise<ApiAnswer>;
  /** The same for an answer that goes on; the limit is for its beginning, and `signal` ends it. */
  stream(path: string, options: StreamOptions): Promise<ApiStream>;
  /** Breaks off whatever is still going on: only for someone who watches is there anything. */
  close(): void;
}

/** What a request has of its own. */
export interface GetOptions {
  /** Not encoded yet. */
  readonly query?: Readonly<Record<string, string>>;
  /** For the whole of it; 0 is no limit, and without one the connection's holds. */
  readonly timeoutMs?: number;
  /** The media type to ask for; plain JSON by default. */
  readonly accept?: string;
  /** Reads the text of a successful answer: JSON.parse by default. Undefined if it cannot be read. */
  readonly parse?: (text: string) => unknown;
}

/** What a request for a stream has of its own. */
export interface StreamOptions {
  readonly query: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A successful answer that comes line by line. */
export interface ApiStream extends Pick<HttpStream, "lines" | "close">, Pick<ApiAnswer, "serverClockMs"> {}

/** A successful answer. */
export interface ApiAnswer {
  /** The JSON of the answer, unchecked; or what `parse` has made of its text. */
  readonly body: unknown;
  /** The server's clock, from the Date header: whole seconds, truncated; null without one. */
  readonly serverClockMs: number | null;
}

/** The flags that say which server to ask, as whom, and for how long to wait. */
export interface ConnectOptions extends ContextOptions {
  readonly namespace?: string | undefined;
  readonly requestTimeoutMs?: number | undefined;
  /** The local clock, by which credentials expire; without it they are got anew only when the server refuses them. */
  readonly nowMs?: (() => number) | undefined;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** Reads the kubeconfig; the first request connects and gets the credentials. A UserError if there is nothing to connect to. */
export function connect(options: ConnectOptions): Connection {
  const context = chooseContext(options);
  const timeoutMs = options.requestTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  const credentials = new RenewableCredentials(() => credentialsOf(context), options.nowMs ?? (() => 0));
  const urlOf = (path: string, query?: Readonly<Record<string, string>>): string =>
    `${context.server}${path}${query === undefined ? "" : `?${new URLSearchParams(query)}`}`;
  return {
    server: context.server,
    namespace: options.namespace || context.namespace || "default",
    timeoutMs,
    get: (path, { query, accept, parse = parsed, ...own } = {}) =>
      credentials.send(async (shared) => {
        const limitMs = own.timeoutMs ?? timeoutMs;
        const answer = await httpGet(urlOf(path, query), withHeaders(shared, accept), limitMs);
        return { body: bodyOf(answer, parse), serverClockMs: clockOf(answer.headers.date) };
      }),
    close: () => credentials.close(),
    stream: (path, { query, signal }) =>
      credentials.send(async (shared) => {
        const release = reserveStream(shared);
        try {
          const stream = await openStream(urlOf(path, query), withHeaders(shared), { timeoutMs, signal });
          if (!isSuccess(stream.status)) throw failureOf(stream.status, await stream.text());
          return { ...releasing(stream, release), serverClockMs: clockOf(stream.headers.date) };
        } catch (error) {
          release();
          throw error;
        }
      }),
  };
}

/** The stream, which gives its place in the pool back when it ends or is closed. */
function releasing({ lines, close }: HttpStream, release: () => void): Pick<HttpStream, "lines" | "close"> {
  async function* untilItEnds(): AsyncGenerator<string> {
    try {
      yield* lines;
    } finally {
      release();
    }
  }
  const closeAndRelease = (): void => {
    release();
    close();
  };
  return { lines: untilItEnds(), close: closeAndRelease };
}

function withHeaders(shared: RequestOptions, accept = "application/json"): RequestOptions {
  return { ...shared, headers: { ...shared.headers, Accept: accept, "User-Agent": "kubectl-backoff" } };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function failureOf(status: number, text: string, retryAfter?: string): RequestFailure {
  const refusal = parsed(text);
  const message = textOf(at(refusal, "message")) ?? `HTTP status ${status}`;
  const retryAfterMs = retryAfter !== undefined && /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : null;
  const continueToken = textOf(at(refusal, "metadata", "continue"));
  return new RequestFailure(kindOfStatus(status), { message, status, retryAfterMs, continueToken });
}

function bodyOf({ status, text, headers }: HttpAnswer, parse: (text: string) => unknown): unknown {
  if (!isSuccess(status)) throw failureOf(status, text, headers["retry-after"]);
  const body = parse(text);
  if (body === undefined) throw new RequestFailure("bad-answer", { message: "it is not JSON", status });
  return body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function clockOf(date: string | undefined): number | null {
  const clockMs = Date.parse(date ?? "");
  return Number.isNaN(clockMs) ? null : clockMs;
}
