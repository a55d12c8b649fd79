import { STRATEGIES } from "../../backoff/jitter-strategies.ts";
import { RequestFailure } from "./request-failure.ts";
import { sleep, type Timers } from "./timers.ts";

interface Tried {
  readonly retries: number;
  readonly isOptional: boolean;
  /** If the server has answered before and now refuses a connection, the server is probably restarting. */
  readonly hasAnswered: boolean;
}

/** The default of `maxRetries` (client-go v0.37.1, rest/request.go). */
const MOST_WITH_RETRY_AFTER = 10;
const MOST_WHEN_BROKEN = 5;
const MOST_WHEN_OPTIONAL = 1;
const LONGEST_PAUSE_WHEN_OPTIONAL_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const BACKOFF = { initialMs: 100, maxMs: 2_000 } as const;

/**
 * Null means no retry. See `checkWait` and `isErrRetryableFunc` (client-go v0.37.1, rest/with_retry.go and
 * rest/request.go). Unlike client-go, can retry after an answer that broke off and after a refused connection.
 */
export function pauseBeforeRetryMs(failure: RequestFailure, tried: Tried, random: () => number): number | null {
  const { retryAfterMs, lost } = failure;
  const isBroken = lost === "broken" || (lost === "refused" && tried.hasAnswered);
  if (retryAfterMs === null && !isBroken) return null;
  const most = retryAfterMs === null ? MOST_WHEN_BROKEN : MOST_WITH_RETRY_AFTER;
  if (tried.retries >= (tried.isOptional ? MOST_WHEN_OPTIONAL : most)) return null;
  const pauseMs = (retryAfterMs ?? 0) + STRATEGIES.full(tried.retries, 0, BACKOFF, random);
  return pauseMs <= (tried.isOptional ? LONGEST_PAUSE_WHEN_OPTIONAL_MS : LONGEST_PAUSE_MS) ? pauseMs : null;
}

export function timeLimit(limitMs: number, timers: Timers) {
  const beganAtMs = timers.nowMs();
  const timeUp = new AbortController();
  const leftMs = (): number => Math.max(0, limitMs - (timers.nowMs() - beganAtMs));
  const bind = <T>(work: () => Promise<T>): Promise<T> => {
    if (limitMs === Infinity) return work();
    return new Promise((resolve, reject) => {
      const callOff = timers.after(leftMs(), () => {
        reject(new RequestFailure("timeout", { message: `no answer within ${limitMs / 1000}s` }));
        timeUp.abort();
      });
      work().then(resolve, reject).finally(callOff);
    });
  };
  return { signal: timeUp.signal, leftMs, bind };
}

/**
 * `limitMs` is for all attempts and pauses together. If time runs out after a failed attempt, throws the error of the
 * last failed attempt instead of a timeout.
 */
export async function withRetries<T>(
  send: (signal: AbortSignal) => Promise<T>,
  tried: () => Omit<Tried, "retries">,
  limitMs: number,
  timers: Timers,
): Promise<T> {
  const limit = timeLimit(limitMs, timers);
  let last: RequestFailure | null = null;
  const tryAll = async (): Promise<T> => {
    for (let retries = 0; ; retries++) {
      try {
        return await send(limit.signal);
      } catch (error) {
        if (!(error instanceof RequestFailure) || limit.signal.aborted) throw error;
        const pauseMs = pauseBeforeRetryMs(error, { ...tried(), retries }, () => timers.random());
        if (pauseMs === null || pauseMs >= limit.leftMs()) throw error;
        last = error;
        await sleep(timers, pauseMs, limit.signal);
      }
    }
  };
  try {
    return await limit.bind(tryAll);
  } catch (error) {
    throw limit.signal.aborted ? (last ?? error) : error;
  }
}
