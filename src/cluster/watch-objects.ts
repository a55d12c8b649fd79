import type { Connection } from "./connect.ts";
import { RequestFailure } from "./request-failure.ts";
import { at, objectsOf, textOf } from "./untrusted.ts";
import { isPassing } from "./watch-failure.ts";
import { RetryPause } from "./watch-retry.ts";
import { sleep, type Timers } from "./watch-timers.ts";

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
  /** Why nothing is heard at present; null as soon as something is again. */
  trouble(failure: Error | null): void;
}

/** The same without lists. */
export type ChangeHandler = Omit<WatchHandler, "listed">;

/** The server ends a watch after so long (a random time in between), and is asked again from where it was. */
const WATCH_SECONDS = { least: 200, spread: 100 } as const;
/** A connection on which nothing came for that long, and this, is dead: nobody said so. */
const GRACE_MS = 15_000;
/** Bookmarks come about once a minute (`defaultBookmarkFrequency`, apiserver v0.37.1, pkg/storage/cacher/cacher.go). */
const BOOKMARK_SILENCE_MS = 150_000;

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
  const pause = new RetryPause();
  const watch = new ObjectWatch(connection, source, handler, timers);
  while (!signal.aborted) {
    const beganAtMs = timers.nowMs();
    try {
      await watch.once(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      handler.trouble(error);
    }
    await sleep(timers, pause.nextMs(timers.nowMs() - beganAtMs, timers.random()), signal);
  }
}

class ObjectWatch {
  readonly #connection: Connection;
  readonly #source: ListedSource;
  readonly #handler: ChangeHandler;
  readonly #timers: Timers;
  /** Everything up to this resourceVersion is known; null before the first list. */
  #version: string | null;
  #hasBookmarks = false;

  constructor(connection: Connection, source: ListedSource, handler: ChangeHandler, timers: Timers) {
    this.#connection = connection;
    this.#source = source;
    this.#version = source.knownVersion;
    this.#handler = handler;
    this.#timers = timers;
  }

  /** One list, if need be, and one watch, until it ends. */
  async once(signal: AbortSignal): Promise<void> {
    try {
      this.#version ??= await this.#source.list(signal);
      await this.#watch(this.#version, signal);
    } catch (error) {
      if (!(error instanceof RequestFailure && error.status === GONE)) throw error;
      this.#version = null;
    }
  }

  async #watch(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const seconds = WATCH_SECONDS.least + Math.floor(this.#timers.random() * WATCH_SECONDS.spread);
    const follow = { watch: "true", allowWatchBookmarks: "true", timeoutSeconds: `${seconds}` };
    const stream = await this.#connection.stream(this.#source.path, {
      query: { ...selectorsOf(this.#source), resourceVersion, ...follow },
      signal,
    });
    this.#handler.trouble(null);
    this.#hasBookmarks = false;
    let isSilent = false;
    const listen = (): (() => void) =>
      this.#timers.after(this.#hasBookmarks ? BOOKMARK_SILENCE_MS : seconds * 1000 + GRACE_MS, () => {
        isSilent = true;
        stream.close();
      });
    let callOff = listen();
    try {
      for await (const line of stream.lines) {
        callOff();
        await this.#take(line);
        callOff = listen();
      }
    } catch (error) {
      throw isSilent ? new RequestFailure("timeout", { message: "nothing is heard on the connection" }) : error;
    } finally {
      callOff();
      stream.close();
    }
  }

  async #take(line: string): Promise<void> {
    const message = parsed(line);
    const object = at(message, "object");
    switch (at(message, "type")) {
      case "ADDED":
      case "MODIFIED":
        await this.#handler.changed(object);
        break;
      case "DELETED":
        this.#handler.deleted(object);
        break;
      case "BOOKMARK":
        this.#hasBookmarks = true;
        break;
      case "ERROR":
        throw failureIn(object);
      default:
        return;
    }
    this.#version = textOf(at(object, "metadata", "resourceVersion")) ?? this.#version;
  }
}

async function listObjects(connection: Connection, source: WatchSource, handler: WatchHandler): Promise<string> {
  const { body } = await connection.get(source.path, { query: selectorsOf(source) });
  const version = textOf(at(body, "metadata", "resourceVersion"));
  if (version === null) throw new RequestFailure("bad-answer", { message: "a list without a resourceVersion" });
  handler.listed(objectsOf(at(body, "items")));
  return version;
}

function selectorsOf({ fieldSelector, labelSelector }: WatchSource): Readonly<Record<string, string>> {
  return { fieldSelector, ...(labelSelector !== undefined && { labelSelector }) };
}

/** 410: the server no longer has what came after that resourceVersion. */
const GONE = 410;

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new RequestFailure("bad-answer", { message: "a line of the watch is not JSON" });
  }
}

function failureIn(status: unknown): RequestFailure {
  const code = at(status, "code");
  const message = textOf(at(status, "message")) ?? "the watch failed";
  return new RequestFailure("server-error", { message, status: typeof code === "number" ? code : 0 });
}
