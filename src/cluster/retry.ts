import { RequestFailure } from "./request-failure.ts";
import { pauseBeforeRetryMs, type Tried } from "./retry-policy.ts";
import type { TimeLimit } from "./time-limit.ts";
import { sleep, type Timers } from "./timers.ts";

/**
 * Sends a request, and again where that makes sense, within the limit: a pause that would outlast it is not begun, and the
 * failure is told at once. Throws what the last try failed with; if time was up, the one before it, which says more.
 */
export async function withRetries<T>(
  send: (signal: AbortSignal) => Promise<T>,
  tried: () => Omit<Tried, "retries">,
  limit: TimeLimit,
  timers: Timers,
): Promise<T> {
  let last: RequestFailure | null = null;
  const tryAll = async (): Promise<T> => {
    for (let retries = 0; ; retries++) {
      try {
        return await send(limit.signal);
      } catch (error) {
        if (!(error instanceof RequestFailure) || limit.signal.aborted) throw error;
        const pauseMs = pauseBeforeRetryMs(error, { ...tried(), retries }, () => timers.random());
        if (pauseMs === null || pauseMs >= limit.leftMs) throw error;
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
