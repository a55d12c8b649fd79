import type { Connection } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { sleep, type Timers } from "../connection/timers.ts";
import { at } from "../objects/untrusted.ts";
import { isForbidden, isPassing } from "./watch-failure.ts";
import { RetryPause } from "./watch-retry.ts";
import type { WatchHandler } from "./watch-thread.ts";

/** From one look to the next, give or take a quarter: who may not watch looks rarely enough to bother nobody. */
const PAUSE_MS = 4_000;

/**
 * Follows one object by asking for it again and again, for whoever may get it but not list and watch it, until `signal` ends
 * it. That it may not be got is trouble like any other: it could be when the watch began.
 */
export async function pollObject(
  connection: Connection,
  path: string,
  handler: Pick<WatchHandler, "changed" | "deleted" | "trouble">,
  timers: Timers,
  signal: AbortSignal,
): Promise<void> {
  let retry = new RetryPause();
  let known: unknown;
  let heardAtMs = timers.nowMs();
  while (!signal.aborted) {
    let pauseMs = PAUSE_MS * (0.75 + timers.random() / 2);
    try {
      const { body } = await connection.get(path);
      if (signal.aborted) return;
      heardAtMs = timers.nowMs();
      handler.trouble(null, heardAtMs);
      retry = new RetryPause();
      const version = at(body, "metadata", "resourceVersion");
      if (version !== known || version === undefined) handler.changed(body);
      known = version;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RequestFailure && error.kind === "not-found") return handler.deleted(null);
      if (!isPassing(error) && !isForbidden(error)) throw error;
      handler.trouble(error, heardAtMs);
      pauseMs += retry.nextMs(0, timers.random());
    }
    await sleep(timers, pauseMs, signal);
  }
}
