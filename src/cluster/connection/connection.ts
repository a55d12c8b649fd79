import type { IncomingHttpHeaders } from "node:http";
import { at, parsedJson, textOf } from "../objects/json-access.ts";
import { type BegunAnswer, type HttpAnswer, httpAnswer, type Request, streamedLines, streamedPieces } from "./http.ts";
import type { Credentials, RenewableCredentials } from "./renewable-credentials.ts";
import { type FailureKind, RequestFailure } from "./request-failure.ts";
import { timeLimit, withRetries } from "./retry.ts";
import type { Timers } from "./timers.ts";

/** One API server, with one user's rights. A connection can only read: it sends no other request than GET. */
export interface Connection {
  readonly server: string;
  /** The namespace of targets that the user names without one. */
  readonly namespace: string;
  /** The time limit of a GET with its retries; the default until a stream begins. Infinity for none. */
  readonly timeoutMs: number;
  /** `path` is URL-encoded. Throws a RequestFailure for no usable answer, a UserError for no credentials. */
  get(path: string, options?: GetOptions): Promise<ApiAnswer>;
  /** Opens an answer without a fixed end, such as a watch. Throws the same errors as `get`. */
  stream(path: string, options: StreamOptions): Promise<ApiStream>;
  close(): void;
}

export interface GetOptions {
  /** Parameters of the URL, not encoded yet. */
  readonly query?: Readonly<Record<string, string>>;
  /** The time limit for the request with its retries, if below the connection's limit. */
  readonly timeoutMs?: number;
  /** True if the command can do without the answer: the program then retries at most once, after at most a second. */
  readonly isOptional?: boolean;
  /** True for a request that the command sends for each of many objects: such requests are also limited per second. */
  readonly isOneOfMany?: boolean;
  readonly accept?: string;
  /** Reads the text of a successful answer, by default as JSON. Returns undefined for a text that it cannot read. */
  readonly parse?: (text: string) => unknown;
}

interface StreamOptions {
  readonly query: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The time limit until the answer begins; Infinity for a log, which begins only when the container writes. */
  readonly timeoutMs?: number;
}

/** The answer to a watch or a followed log. It goes on until the server or the caller ends it. */
export interface ApiStream extends Pick<ApiAnswer, "serverClockMs"> {
  /** The complete lines, without empty ones. Throws a RequestFailure if the connection breaks or a line has no end. */
  readonly lines: AsyncIterable<string>;
  /** The text in pieces of any size, for logs, whose lines can have any length. Read either `lines` or `pieces`. */
  readonly pieces: AsyncIterable<string>;
  close(): void;
}

export interface ApiAnswer {
  /** The answer's JSON, unchecked, or what `parse` has made of its text. */
  readonly body: unknown;
  /** The server's clock, from the Date header, in whole seconds; null without that header. */
  readonly serverClockMs: number | null;
}

/** Servers on this machine: compressing their answers costs more time than it saves. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The time limit for the body of an error response to a stream. */
const REFUSAL_TIMEOUT_MS = 5_000;

export function requestsTo(
  server: string,
  credentials: RenewableCredentials,
  timeoutMs: number,
  timers: Timers,
): Pick<Connection, "get" | "stream"> {
  const encoding = LOOPBACK.test(new URL(server).hostname) ? {} : { "Accept-Encoding": "gzip" };
  let hasAnswered = false;
  const begin = (sent: Credentials, path: string, query: GetOptions["query"], request: Omit<Request, "url">) => {
    const url = new URL(`${server}${path}${query === undefined ? "" : `?${new URLSearchParams(query)}`}`);
    const headers = { ...request.headers, ...sent.headers, "User-Agent": "kubectl-backoff" };
    return sent.connections.begin({ ...request, url, headers });
  };
  return {
    get: (path, { query, timeoutMs: ownMs = timeoutMs, isOptional = false, accept = JSON_TYPE, parse } = {}) =>
      credentials.send((sent) => {
        const getOnce = async (signal: AbortSignal): Promise<ApiAnswer> => {
          const headers = { ...encoding, Accept: accept };
          const answer = await httpAnswer(await begin(sent, path, query, { headers, signal, isStream: false }));
          hasAnswered = true;
          return readAnswer(answer, parse);
        };
        return withRetries(getOnce, () => ({ isOptional, hasAnswered }), Math.min(ownMs, timeoutMs), timers);
      }),
    stream: (path, { query, signal, timeoutMs: ownMs = timeoutMs }) =>
      credentials.send(async (sent) => {
        const limit = timeLimit(ownMs, timers);
        const untilThen = AbortSignal.any([signal, limit.signal]);
        const request = { headers: { Accept: JSON_TYPE }, signal: untilThen, isStream: true };
        return streamOf(await limit.bind(() => begin(sent, path, query, request)), timers);
      }),
  };
}

const JSON_TYPE = "application/json";

async function streamOf(begun: BegunAnswer, timers: Timers): Promise<ApiStream> {
  const { status, headers, body } = begun;
  // By HTTP/2, a body that is destroyed without an error would end like a whole one.
  const close = (): void => void body.destroy(new Error("the stream was closed on this side"));
  if (isSuccess(status))
    return { lines: streamedLines(begun), pieces: streamedPieces(begun), close, serverClockMs: clockOf(headers.date) };
  const whole = timeLimit(REFUSAL_TIMEOUT_MS, timers).bind(() => httpAnswer(begun));
  throw refusalOf(await whole.catch(() => ({ ...begun, text: "" })).finally(close));
}

/** Returns a connection that sends each GET with `isOptional`. */
export function bestEffort(connection: Connection): Connection {
  return { ...connection, get: (path, options) => connection.get(path, { ...options, isOptional: true }) };
}

/** Throws a RequestFailure for an error status, for a web page, and for a text that `parse` cannot read. */
export function readAnswer(answer: HttpAnswer, parse: GetOptions["parse"] = parsedJson): ApiAnswer {
  const { status, text, headers } = answer;
  if (!isSuccess(status)) throw refusalOf(answer);
  const type = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "text/html") throw badAnswer("it is a web page, such as a login or a proxy shows", status);
  const body = parse(text);
  if (body !== undefined) return { body, serverClockMs: clockOf(headers.date) };
  const isSaidToBeJson = type === undefined || /[/+]json$/.test(type);
  throw badAnswer(isSaidToBeJson ? "it is not JSON" : `it is not JSON, but ${type}`, status);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function refusalOf({ status, text, headers }: HttpAnswer): RequestFailure {
  if (status >= 300 && status < 400) {
    // An API server does not redirect, and the program sends its credentials to no other server.
    const elsewhere = URL.parse(headers.location ?? "")?.origin ?? "elsewhere";
    return badAnswer(`it is a redirect to ${bounded(elsewhere)}, which is not followed`, status);
  }
  const refusal = parsedJson(text);
  const message = textOf(at(refusal, "message")) ?? plainWords(text, headers) ?? `HTTP status ${status}`;
  const continueToken = textOf(at(refusal, "metadata", "continue"));
  const retryAfterMs = status === 429 || status >= 500 ? retryAfterIn(headers) : null;
  const kind = KINDS[status] ?? "server-error";
  return new RequestFailure(kind, { message: bounded(message), status, retryAfterMs, continueToken });
}

const KINDS: Readonly<Record<number, FailureKind>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not-found",
  408: "timeout",
  504: "timeout",
};

/** Returns an error response in plain text, as proxies and busy API servers send it; null if it is anything longer. */
function plainWords(text: string, headers: IncomingHttpHeaders): string | null {
  const isText = headers["content-type"]?.startsWith("text/plain") ?? !text.trimStart().startsWith("<");
  return isText && text.length <= LONGEST_MESSAGE ? textOf(text.trim()) : null;
}

const LONGEST_MESSAGE = 500;

function bounded(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)}…`;
}

/** Retry-After has seconds, or a date by the server's clock. */
function retryAfterIn({ "retry-after": after, date }: IncomingHttpHeaders): number | null {
  if (after === undefined) return null;
  if (/^\s*\d+\s*$/.test(after)) return Number(after) * 1000;
  const atMs = clockOf(after);
  const nowMs = clockOf(date);
  return atMs === null || nowMs === null ? null : Math.max(0, atMs - nowMs);
}

function clockOf(date: string | undefined): number | null {
  const clockMs = / GMT\s*$/.test(date ?? "") ? Date.parse(date ?? "") : Number.NaN;
  return Number.isNaN(clockMs) ? null : clockMs;
}

function badAnswer(message: string, status: number): RequestFailure {
  return new RequestFailure("bad-answer", { message, status });
}
