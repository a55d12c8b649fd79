import type { RequestOptions } from "node:https";
import { bodyOf, clockOf, isSuccess, refusalOf } from "./api-answer.ts";
import type { Connection, GetOptions } from "./connect.ts";
import { reserveStream } from "./connection-pool.ts";
import { httpGet } from "./http-get.ts";
import { type HttpStream, openStream } from "./http-stream.ts";
import type { RenewableCredentials } from "./renewable-credentials.ts";
import { withRetries } from "./retry.ts";
import { TimeLimit } from "./time-limit.ts";
import type { Timers } from "./timers.ts";
import { parsedJson } from "./untrusted.ts";

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
  const getOnce = async (shared: RequestOptions, path: string, options: GetOptions, signal: AbortSignal) => {
    const url = urlOf(server, path, options.query);
    const answer = await httpGet(url, { ...withHeaders(shared, options.accept), signal });
    hasAnswered = true;
    const body = bodyOf(answer, options.parse ?? parsedJson);
    return { body, serverClockMs: clockOf(answer.headers.date) };
  };
  return (path, options = {}) =>
    credentials.send((shared) => {
      const limit = new TimeLimit(shorter(options.timeoutMs ?? timeoutMs, timeoutMs), timers);
      const tried = () => ({ isOptional: options.isOptional ?? false, hasAnswered });
      return withRetries((signal) => getOnce(shared, path, options, signal), tried, limit, timers);
    });
}

/** Opens answers that go on. */
export function streamerOn({ server, credentials, timeoutMs, timers }: ApiAccess): Connection["stream"] {
  return (path, { query, signal }) =>
    credentials.send(async (shared) => {
      const release = reserveStream(shared);
      const limit = new TimeLimit(timeoutMs, timers);
      const options = { ...withHeaders(shared), signal: AbortSignal.any([signal, limit.signal]) };
      try {
        const stream = await limit.bind(() => openStream(urlOf(server, path, query), options));
        if (!isSuccess(stream.status)) throw refusalOf(stream.status, await stream.text(), stream.headers);
        return { ...releasing(stream, release), serverClockMs: clockOf(stream.headers.date) };
      } catch (error) {
        release();
        throw error;
      }
    });
}

function urlOf(server: string, path: string, query: GetOptions["query"]): string {
  return `${server}${path}${query === undefined ? "" : `?${new URLSearchParams(query)}`}`;
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
