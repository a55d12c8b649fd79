import { fetched } from "../api/fetched.ts";
import { isForbidden } from "../connection/request-failure.ts";
import { sleep } from "../connection/timers.ts";
import { at, objectsOf } from "../objects/json-access.ts";
import {
  requiredVersion,
  resourceVersionOf,
  selectorsOf,
  type WatchHandler,
  type WatchSource,
  watchListed,
} from "./object-watch.ts";
import { isRetryable, retryPauseMs, type Waiting, type Watching } from "./watch-retry.ts";

export function watchObjects(on: Watching, source: WatchSource, handler: WatchHandler): Promise<void> {
  const list = async (): Promise<string> => {
    const { body } = await on.connection.get(source.path, { query: selectorsOf(source) });
    on.signal.throwIfAborted();
    const version = requiredVersion(resourceVersionOf(body));
    handler.listed(objectsOf(at(body, "items")));
    return version;
  };
  return watchListed(on, { ...source, knownVersion: null, list }, handler);
}

interface Poll extends Pick<WatchHandler, "connectionChanged"> {
  request(): Promise<void>;
  pauseMs(): number;
}

export async function poll({ timers, signal }: Waiting, { request, pauseMs, connectionChanged }: Poll): Promise<void> {
  let failed = 0;
  let heardAtMs = timers.nowMs();
  while (!signal.aborted) {
    let extraMs = 0;
    try {
      await request();
      if (signal.aborted) return;
      heardAtMs = timers.nowMs();
      connectionChanged(null, heardAtMs);
      failed = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!isRetryable(error) && !isForbidden(error)) throw error;
      connectionChanged(error, heardAtMs);
      extraMs = retryPauseMs(failed++, timers);
    }
    await sleep(timers, pauseMs() + extraMs, signal);
  }
}

const POLL_PAUSE_MS = 4_000;

/** `handler.deleted` must abort the signal. Otherwise the requests go on. */
export function pollObject(on: Watching, path: string, handler: Omit<WatchHandler, "listed">): Promise<void> {
  const { connection, timers, signal } = on;
  let known: string | null = null;
  return poll(on, {
    request: async () => {
      const found = await fetched(() => connection.get(path));
      if (signal.aborted) return;
      if (found.why === "not-found") return handler.deleted(null);
      if (found.value === null) throw found.error;
      const { body } = found.value;
      const version = resourceVersionOf(body);
      if (version !== known || version === null) void handler.changed(body);
      known = version;
    },
    pauseMs: () => POLL_PAUSE_MS * (0.75 + timers.random() / 2),
    connectionChanged: handler.connectionChanged,
  });
}
