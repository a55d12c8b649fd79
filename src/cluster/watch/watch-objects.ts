import type { Connection } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { sleep, type Timers } from "../connection/timers.ts";
import { at, objectsOf, textOf } from "../objects/untrusted.ts";
import { isForbidden, isPassing, PoliteRetry, RetryPause } from "./watch-retry.ts";
import {
  type ChangeHandler,
  type ListedSource,
  ObjectWatch,
  selectorsOf,
  versionOf,
  type WatchHandler,
  type WatchSource,
} from "./watch-thread.ts";

/**
 * Follows objects until `signal` ends it: lists them, watches from there, and takes the thread up again whenever it breaks.
 * A RequestFailure "forbidden" if they may not be listed or watched; everything else is tried again.
 */
export async function watchObjects(
  connection: Connection,
  source: WatchSource,
  handler: WatchHandler,
  timers: Timers,
  signal: AbortSignal,
): Promise<void> {
  const list = (): Promise<string> => listObjects(connection, source, handler);
  return watchListed(connection, { ...source, knownVersion: null, list }, handler, timers, signal);
}

/** The same for whoever lists the objects in a way of their own. */
export async function watchListed(
  connection: Connection,
  source: ListedSource,
  handler: ChangeHandler,
  timers: Timers,
  signal: AbortSignal,
): Promise<void> {
  const retry = new PoliteRetry();
  const watch = new ObjectWatch(connection, source, handler, timers);
  while (!signal.aborted) {
    const beganAtMs = timers.nowMs();
    let retryAfterMs: number | null = null;
    try {
      await watch.once(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      if (error instanceof RequestFailure) retryAfterMs = error.retryAfterMs;
      handler.trouble(error, watch.heardAtMs);
    }
    await sleep(timers, retry.nextMs(beganAtMs, timers.nowMs(), timers.random(), retryAfterMs), signal);
  }
}

async function listObjects(connection: Connection, source: WatchSource, handler: WatchHandler): Promise<string> {
  const { body } = await connection.get(source.path, { query: selectorsOf(source) });
  const version = textOf(at(body, "metadata", "resourceVersion"));
  if (version === null) throw new RequestFailure("bad-answer", { message: "a list without a resourceVersion" });
  handler.listed(objectsOf(at(body, "items")));
  return version;
}

/** From one request to the next, give or take a quarter. */
const POLL_MS = 4_000;

/**
 * Follows one object by asking for it again and again until `signal` ends it, for a user who may get it but not list and watch
 * it. A lack of rights is trouble like any other: the user had them when the watch began.
 */
export async function pollObject(
  connection: Connection,
  path: string,
  handler: Pick<WatchHandler, "changed" | "deleted" | "trouble">,
  timers: Timers,
  signal: AbortSignal,
): Promise<void> {
  let retry = new RetryPause();
  let known: string | null = null;
  let heardAtMs = timers.nowMs();
  while (!signal.aborted) {
    let pauseMs = POLL_MS * (0.75 + timers.random() / 2);
    try {
      const { body } = await connection.get(path);
      if (signal.aborted) return;
      heardAtMs = timers.nowMs();
      handler.trouble(null, heardAtMs);
      retry = new RetryPause();
      const version = versionOf(body);
      if (version !== known || version === null) handler.changed(body);
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
