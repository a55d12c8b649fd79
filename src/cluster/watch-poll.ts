import type { Connection } from "./connect.ts";
import { RequestFailure } from "./request-failure.ts";
import { at } from "./untrusted.ts";
import { isForbidden, isPassing } from "./watch-failure.ts";
import type { WatchHandler } from "./watch-objects.ts";
import { RetryPause } from "./watch-retry.ts";
import { sleep, type Timers } from "./watch-timers.ts";

/** From one look to the next, give or take a quarter: who may not watch looks rarely enough to bother nobody. */
const PAUSE_MS = 4_000;

/**
 * Follows one object by asking for it again and again, for whoever may get it but not list and watch it. Until `signal` ends
 * it; a RequestFailure "forbidden" only if the first look is refused.
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
  while (!signal.aborted) {
    let pauseMs = PAUSE_MS * (0.75 + timers.random() / 2);
    try {
      const { body } = await connection.get(path);
      if (signal.aborted) return;
      handler.trouble(null);
      retry = new RetryPause();
      const version = at(body, "metadata", "resourceVersion");
      if (version !== known || version === undefined) handler.changed(body);
      known = version;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RequestFailure && error.kind === "not-found") return handler.deleted(null);
      const isRefusedAtOnce = isForbidden(error) && known === undefined;
      if (isRefusedAtOnce || !(isPassing(error) || isForbidden(error))) throw error;
      handler.trouble(error as Error);
      pauseMs += retry.nextMs(0, timers.random());
    }
    await sleep(timers, pauseMs, signal);
  }
}
