import type { RequestOptions } from "node:https";
import { bodyOf, clockOf, isSuccess, parsedJson, refusalOf } from "./api-answer.ts";
import { reserveStream } from "./connection-pool.ts";
import { httpGet } from "./http-get.ts";
import { type ContextOptions, chooseContext } from "./kubeconfig.ts";
import { credentialsInTime } from "./login-limit.ts";
import { RenewableCredentials } from "./renewable-credentials.ts";
import { withRetries } from "./retry.ts";
import { TimeLimit } from "./time-limit.ts";
import { type HttpStream, openStream } from "./watch-stream.ts";
import { realTimers } from "./watch-timers.ts";

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
  /** For the whole of it, however often it is sent, if that is less than the connection's limit; 0 is none of its own. */
  readonly timeoutMs?: number;
  /** Whether the answer is complete without it: then it is hardly sent again where it fails. */
  readonly isOptional?: boolean;
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

/**
 * Reads the kubeconfig; the first request connects and gets the credentials. A UserError if there is nothing to connect to.
 * `timers` are for limits and for the pauses between tries; any clock will do.
 */
export function connect(options: ConnectOptions, timers = realTimers(() => performance.now())): Connection {
  const context = chooseContext(options);
  const timeoutMs = options.requestTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  const nowMs = options.nowMs ?? (() => 0);
  const credentials = new RenewableCredentials(
    credentialsInTime(context, options.requestTimeoutMs, timers, nowMs),
    nowMs,
  );
  const urlOf = (path: string, query?: Readonly<Record<string, string>>): string =>
    `${context.server}${path}${query === undefined ? "" : `?${new URLSearchParams(query)}`}`;
  let hasAnswered = false;
  const getOnce = async (shared: RequestOptions, path: string, options: GetOptions, signal: AbortSignal) => {
    const answer = await httpGet(urlOf(path, options.query), { ...withHeaders(shared, options.accept), signal });
    hasAnswered = true;
    const body = bodyOf(answer, options.parse ?? parsedJson);
    return { body, serverClockMs: clockOf(answer.headers.date) };
  };
  return {
    server: context.server,
    namespace: options.namespace || context.namespace || "default",
    timeoutMs,
    get: (path, options = {}) =>
      credentials.send((shared) => {
        const limit = new TimeLimit(shorter(options.timeoutMs ?? timeoutMs, timeoutMs), timers);
        const tried = () => ({ isOptional: options.isOptional ?? false, hasAnswered });
        return withRetries((signal) => getOnce(shared, path, options, signal), tried, limit, timers);
      }),
    close: () => credentials.close(),
    stream: (path, { query, signal }) =>
      credentials.send(async (shared) => {
        const release = reserveStream(shared);
        try {
          const stream = await openStream(urlOf(path, query), withHeaders(shared), { timeoutMs, signal });
          if (!isSuccess(stream.status)) throw refusalOf(stream.status, await stream.text(), stream.headers);
          return { ...releasing(stream, release), serverClockMs: clockOf(stream.headers.date) };
        } catch (error) {
          release();
          throw error;
        }
      }),
  };
}

/** Of two limits; 0 is none. */
function shorter(limitMs: number, otherMs: number): number {
  return limitMs === 0 || otherMs === 0 ? Math.max(limitMs, otherMs) : Math.min(limitMs, otherMs);
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
