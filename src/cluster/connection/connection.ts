import type { IncomingHttpHeaders } from "node:http";
import { at, parsedJson, textOf } from "../objects/untrusted.ts";
import type { Headers, HttpAnswer, HttpStream } from "./http.ts";
import type { Access, RenewableCredentials } from "./renewable-credentials.ts";
import { kindOfStatus, RequestFailure } from "./request-failure.ts";
import { TimeLimit, withRetries } from "./retry.ts";
import type { Timers } from "./timers.ts";

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

interface StreamOptions {
  readonly query: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Until it begins, if not the connection's limit: the log of a container that prints nothing does not begin. 0 is none. */
  readonly timeoutMs?: number;
}

/** A successful answer that comes line by line, or in pieces. */
export interface ApiStream extends Pick<HttpStream, "lines" | "pieces" | "close">, Pick<ApiAnswer, "serverClockMs"> {}

/** A successful answer. */
export interface ApiAnswer {
  /** The JSON of the answer, unchecked; or what `parse` has made of its text. */
  readonly body: unknown;
  /** The server's clock, from the Date header: whole seconds, truncated; null without one. */
  readonly serverClockMs: number | null;
}

export interface ApiAccess {
  readonly server: string;
  readonly credentials: RenewableCredentials;
  /** The limit of a request that has none of its own; 0 is none. */
  readonly timeoutMs: number;
  readonly timers: Timers;
}

/** Sends GETs, and sends them again where that makes sense. */
export function getterOn({ server, credentials, timeoutMs, timers }: ApiAccess): Connection["get"] {
  let hasAnswered = false;
  const getOnce = async (access: Access, path: string, options: GetOptions, signal: AbortSignal) => {
    const url = urlOf(server, path, options.query);
    const answer = await access.connections.get(url, headersFor(access, options.accept), signal);
    hasAnswered = true;
    const body = bodyOf(answer, options.parse ?? parsedJson);
    return { body, serverClockMs: clockOf(answer.headers.date) };
  };
  return (path, options = {}) =>
    credentials.send((access) => {
      const limit = new TimeLimit(shorter(options.timeoutMs ?? timeoutMs, timeoutMs), timers);
      const tried = () => ({ isOptional: options.isOptional ?? false, hasAnswered });
      return withRetries((signal) => getOnce(access, path, options, signal), tried, limit, timers);
    });
}

/** Opens answers that go on. */
export function streamerOn({ server, credentials, timeoutMs, timers }: ApiAccess): Connection["stream"] {
  return (path, { query, signal, timeoutMs: ownMs = timeoutMs }) =>
    credentials.send(async (access) => {
      const limit = new TimeLimit(ownMs, timers);
      const untilThen = AbortSignal.any([signal, limit.signal]);
      const url = urlOf(server, path, query);
      const stream = await limit.bind(() => access.connections.stream(url, headersFor(access), untilThen));
      const { status, headers, lines, pieces, close } = stream;
      if (!isSuccess(status)) throw refusalOf(status, await stream.text(), headers);
      return { lines, pieces, close, serverClockMs: clockOf(headers.date) };
    });
}

function urlOf(server: string, path: string, query: GetOptions["query"]): string {
  return `${server}${path}${query === undefined ? "" : `?${new URLSearchParams(query)}`}`;
}

/** Of two limits; 0 is none. */
function shorter(limitMs: number, otherMs: number): number {
  return limitMs === 0 || otherMs === 0 ? Math.max(limitMs, otherMs) : Math.min(limitMs, otherMs);
}

function headersFor({ headers }: Access, accept = "application/json"): Headers {
  return { ...headers, Accept: accept, "User-Agent": "kubectl-backoff" };
}

/** What `parse` makes of the text of a successful answer. A RequestFailure for any other, and where it makes nothing of it. */
function bodyOf({ status, text, headers }: HttpAnswer, parse: (text: string) => unknown): unknown {
  if (!isSuccess(status)) throw refusalOf(status, text, headers);
  const type = mediaTypeOf(headers);
  if (type === "text/html") throw badAnswer("it is a web page, such as a login or a proxy shows", status);
  const body = parse(text);
  if (body !== undefined) return body;
  throw badAnswer(type === null || /[/+]json$/.test(type) ? "it is not JSON" : `it is not JSON, but ${type}`, status);
}

/** The media type of an answer without its parameters, in lower case; null if it does not say. */
function mediaTypeOf(headers: IncomingHttpHeaders): string | null {
  return headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? null;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function refusalOf(status: number, text: string, headers: IncomingHttpHeaders): RequestFailure {
  if (status >= 300 && status < 400) return badAnswer(redirection(headers.location), status);
  const refusal = parsedJson(text);
  const message = textOf(at(refusal, "message")) ?? plainWords(text, headers) ?? `HTTP status ${status}`;
  const continueToken = textOf(at(refusal, "metadata", "continue"));
  const retryAfterMs = status === 429 || status >= 500 ? retryAfterIn(headers) : null;
  return new RequestFailure(kindOfStatus(status), { message: bounded(message), status, retryAfterMs, continueToken });
}

/** Credentials are for this server: they are not taken to another, and an API server sends nobody elsewhere. */
function redirection(location: string | undefined): string {
  const elsewhere = URL.parse(location ?? "")?.origin ?? "elsewhere";
  return `it is a redirect to ${bounded(elsewhere)}, which is not followed`;
}

/** What is in front of an API server refuses in plain text, and so does the server itself when it is too busy for more. */
function plainWords(text: string, headers: IncomingHttpHeaders): string | null {
  const isText = headers["content-type"]?.startsWith("text/plain") ?? !text.trimStart().startsWith("<");
  return isText && text.length <= MOST_CHARACTERS ? textOf(text.trim()) : null;
}

const MOST_CHARACTERS = 500;

function bounded(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

/** Seconds, or a date, which is by the server's own clock. */
function retryAfterIn({ "retry-after": after, date }: IncomingHttpHeaders): number | null {
  if (after === undefined) return null;
  if (/^\s*\d+\s*$/.test(after)) return Number(after) * 1000;
  const atMs = clockOf(after);
  const nowMs = clockOf(date);
  return atMs === null || nowMs === null ? null : Math.max(0, atMs - nowMs);
}

/** The instant of a Date header: whole seconds, truncated; null without one. */
function clockOf(date: string | undefined): number | null {
  const clockMs = / GMT\s*$/.test(date ?? "") ? Date.parse(date ?? "") : Number.NaN;
  return Number.isNaN(clockMs) ? null : clockMs;
}

function badAnswer(message: string, status: number): RequestFailure {
  return new RequestFailure("bad-answer", { message, status });
}
