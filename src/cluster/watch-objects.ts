import type { Connection } from "./connect.ts";
import { RequestFailure } from "./request-failure.ts";
import { sleep, type Timers } from "./timers.ts";
import { at, objectsOf, textOf } from "./untrusted.ts";
import { isPassing } from "./watch-failure.ts";
import { PoliteRetry } from "./watch-retry.ts";
import { ObjectWatch } from "./watch-thread.ts";

/** Objects of one kind: where they are listed, and which of them. */
export interface WatchSource {
  readonly path: string;
  readonly fieldSelector: string;
  readonly labelSelector?: string | undefined;
}

/** Objects that are listed in a way of their own. */
export interface ListedSource extends WatchSource {
  /** Everything up to this resourceVersion is known already; null: nothing is. */
  readonly knownVersion: string | null;
  /** Reads and tells all that there is; gives the resourceVersion that it is of. */
  list(signal: AbortSignal): Promise<string>;
}

/** Is told what happens to the objects, and how the connection fares. */
export interface WatchHandler {
  /** All of them, at the beginning and whenever the server has forgotten what came in between. */
  listed(objects: readonly unknown[]): void;
  /** Nothing more is read of the watch until a promise has settled. */
  changed(object: unknown): void | Promise<void>;
  deleted(object: unknown): void;
  /** Why nothing is heard at present, and by the local clock since when; null as soon as something is again. */
  trouble(failure: Error | null, sinceLocalMs: number): void;
}

/** The same without lists. */
export type ChangeHandler = Omit<WatchHandler, "listed">;

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

/** The selectors of a list and of the watch that goes on with it. */
export function selectorsOf({ fieldSelector, labelSelector }: WatchSource): Readonly<Record<string, string>> {
  return { fieldSelector, ...(labelSelector !== undefined && { labelSelector }) };
}
