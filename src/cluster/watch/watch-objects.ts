import type { Connection } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { sleep, type Timers } from "../connection/timers.ts";
import { at, objectsOf } from "../objects/untrusted.ts";
import {
  type ChangeHandler,
  type ListedSource,
  ObjectWatch,
  selectorsOf,
  versionOf,
  type WatchHandler,
  type WatchSource,
} from "./object-watch.ts";
import { isForbidden, isPassing, nothingElse, PoliteRetry, RetryPause, whileAllowed } from "./watch-retry.ts";

/**
 * Follows objects until `signal` is aborted: lists them, watches from there, and watches again from the last version if the
 * connection breaks. A RequestFailure "forbidden" if the user may not list or watch them; other failures are tried again.
 */
export async function watchObjects(
  connection: Connection,
  source: WatchSource,
  handler: WatchHandler,
  timers: Timers,
  signal: AbortSignal,
): Promise<void> {
  const list = async (): Promise<string> => {
    const { body } = await connection.get(source.path, { query: selectorsOf(source) });
    const version = versionOf(body);
    if (version === null) throw new RequestFailure("bad-answer", { message: "a list without a resourceVersion" });
    handler.listed(objectsOf(at(body, "items")));
    return version;
  };
  return watchListed(connection, { ...source, knownVersion: null, list }, handler, timers, signal);
}

/** Watches objects; while that is forbidden (403), does `otherwise` and tries again with growing pauses. */
export function watchWhileAllowed(
  connection: Connection,
  source: WatchSource,
  handler: WatchHandler,
  timers: Timers,
  signal: AbortSignal,
  otherwise = nothingElse,
): Promise<void> {
  const watch = () => watchObjects(connection, source, handler, timers, signal);
  return whileAllowed(watch, otherwise, timers, signal);
}

/** Like {@link watchObjects}, for objects that `source` lists in its own way. */
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
    let retryAfterMs = 0;
    try {
      await watch.once(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      if (error instanceof RequestFailure) retryAfterMs = error.retryAfterMs ?? 0;
      handler.trouble(error, watch.heardAtMs);
    }
    await retry.wait(beganAtMs, timers, signal, retryAfterMs);
  }
}

/** The pause between two requests, plus or minus a quarter. */
const POLL_MS = 4_000;

/**
 * Follows one object with a GET every few seconds until `signal` is aborted, for a user who may get it but not list and watch
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
