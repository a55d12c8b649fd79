import { parsedJson } from "../objects/untrusted.ts";
import { bodyOf, clockOf, isSuccess, refusalOf } from "./api-answer.ts";
import type { Connection, GetOptions } from "./connection.ts";
import type { Headers } from "./impersonation.ts";
import type { Access, RenewableCredentials } from "./renewable-credentials.ts";
import { TimeLimit, withRetries } from "./retry.ts";
import type { Timers } from "./timers.ts";

/** What the requests of a connection have in common. */
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
  return (path, { query, signal }) =>
    credentials.send(async (access) => {
      const limit = new TimeLimit(timeoutMs, timers);
      const untilThen = AbortSignal.any([signal, limit.signal]);
      const url = urlOf(server, path, query);
      const stream = await limit.bind(() => access.connections.stream(url, headersFor(access), untilThen));
      const { status, headers, lines, close } = stream;
      if (!isSuccess(status)) throw refusalOf(status, await stream.text(), headers);
      return { lines, close, serverClockMs: clockOf(headers.date) };
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
