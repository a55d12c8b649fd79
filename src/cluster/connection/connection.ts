import type { IncomingHttpHeaders } from "node:http";
import { at, parsedJson, textOf } from "../objects/json-access.ts";
import { type BegunAnswer, type HttpAnswer, httpAnswer, type Request, streamedLines, streamedPieces } from "./http.ts";
import type { Credentials, RenewableCredentials } from "./renewable-credentials.ts";
import { type FailureKind, RequestFailure } from "./request-failure.ts";
import { timeLimit, withRetries } from "./retry.ts";
import type { Timers } from "./timers.ts";

export interface Connection {
  readonly server: string;
  readonly namespace: string;
  /** Infinity means no limit. */
  readonly timeoutMs: number;
  /** `path` must be URL-encoded. May throw a RequestFailure or a UserError. */
  get(path: string, options?: GetOptions): Promise<ApiAnswer>;
  stream(path: string, options: StreamOptions): Promise<ApiStream>;
  close(): void;
}

export interface GetOptions {
  readonly query?: Readonly<Record<string, string>>;
  /** If the `timeoutMs` of the connection is shorter, the shorter limit applies. */
  readonly timeoutMs?: number;
  /** Allows fewer retries. */
  readonly isOptional?: boolean;
  /** Limits the rate of all GETs with this option together. */
  readonly isOneOfMany?: boolean;
  readonly accept?: string;
  /** Returns undefined if the text cannot be parsed. */
  readonly parse?: (text: string) => unknown;
}

interface StreamOptions {
  readonly query: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The answer must begin within this time. For a followed log, it may begin only with the log's first line. */
  readonly timeoutMs?: number;
}

export interface ApiStream extends Pick<ApiAnswer, "serverClockMs"> {
  /** Leaves out empty lines, and a last line without a line break. */
  readonly lines: AsyncIterable<string>;
  /** For logs, whose lines can be long. The caller can read `lines` or `pieces`, not both. */
  readonly pieces: AsyncIterable<string>;
  close(): void;
}

export interface ApiAnswer {
  readonly body: unknown;
  /** From the answer's Date header, which has whole seconds. */
  readonly serverClockMs: number | null;
}

/** Assumed: a server at a loopback address is on this machine, where compressing costs more time than it saves. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

const ERROR_BODY_TIMEOUT_MS = 5_000;

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
        const signals = AbortSignal.any([signal, limit.signal]);
        const request = { headers: { Accept: JSON_TYPE }, signal: signals, isStream: true };
        return streamOf(await limit.bind(() => begin(sent, path, query, request)), timers);
      }),
  };
}

const JSON_TYPE = "application/json";

async function streamOf(begun: BegunAnswer, timers: Timers): Promise<ApiStream> {
  const { status, headers, body } = begun;
  // With HTTP/2, a body that is destroyed without an error can end as if it were complete.
  const close = (): void => void body.destroy(new Error("the stream was closed on this side"));
  if (isSuccess(status))
    return { lines: streamedLines(begun), pieces: streamedPieces(begun), close, serverClockMs: clockOf(headers.date) };
  const whole = timeLimit(ERROR_BODY_TIMEOUT_MS, timers).bind(() => httpAnswer(begun));
  throw refusalOf(await whole.catch(() => ({ ...begun, text: "" })).finally(close));
}

export function bestEffort(connection: Connection): Connection {
  return { ...connection, get: (path, options) => connection.get(path, { ...options, isOptional: true }) };
}

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
    // A redirect could send the credentials to another server.
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

function plainWords(text: string, headers: IncomingHttpHeaders): string | null {
  const isText = headers["content-type"]?.startsWith("text/plain") ?? !text.trimStart().startsWith("<");
  return isText && text.length <= LONGEST_MESSAGE ? textOf(text.trim()) : null;
}

const LONGEST_MESSAGE = 500;

function bounded(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)}…`;
}

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
