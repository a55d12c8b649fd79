import type { ApiStream } from "../connection/connection.ts";
import { isGone, isSilence, RequestFailure, SILENT } from "../connection/request-failure.ts";
import { at, parsedJson, textOf } from "../objects/json-access.ts";
import { compareResourceVersions } from "../objects/versions.ts";
import { isPassing, PoliteRetry, type Watching } from "./watch-retry.ts";

/** The API server ends a watch after a random time of 200 to 300 s. The program then opens another watch. */
const WATCH_SECONDS = { least: 200, spread: 100 } as const;
/** If a watch is still open this long after the API server should have ended it, its connection is dead. */
const GRACE_MS = 15_000;
/**
 * If a watch that sends bookmarks is silent for this long, its connection is dead. Bookmarks come about once a minute
 * (`defaultBookmarkFrequency`, apiserver v0.37.1, pkg/storage/cacher/cacher.go).
 */
const BOOKMARK_SILENCE_MS = 150_000;

/**
 * Watches objects from `source.knownVersion` on until `signal` is aborted; lists them first if that is null. If the
 * connection breaks, watches again from the last version. Throws a RequestFailure "forbidden" if the user may not list
 * or watch the objects. Reports other failures by `connectionChanged`, and tries again.
 */
export function watchListed(on: Watching, source: ListedSource, handler: ChangeHandler): Promise<void> {
  return new ObjectWatch(on, source, handler).run();
}

class ObjectWatch {
  readonly #on: Watching;
  readonly #source: ListedSource;
  readonly #handler: ChangeHandler;
  #version: string | null;
  readonly #known = new KnownVersions();
  #hasBookmarks = false;
  /** When the connection last worked, by the local clock. */
  #heardAtMs: number;

  constructor(on: Watching, source: ListedSource, handler: ChangeHandler) {
    this.#on = on;
    this.#source = source;
    this.#version = source.knownVersion;
    this.#handler = handler;
    this.#heardAtMs = on.timers.nowMs();
  }

  async run(): Promise<void> {
    const { timers, signal } = this.#on;
    const retry = new PoliteRetry();
    while (!signal.aborted) {
      const beganAtMs = timers.nowMs();
      let retryAfterMs = 0;
      try {
        await this.#watchOnce();
      } catch (error) {
        if (signal.aborted) return;
        if (!isPassing(error)) throw error;
        if (error instanceof RequestFailure) retryAfterMs = error.retryAfterMs ?? 0;
        this.#handler.connectionChanged(error, this.#heardAtMs);
      }
      await retry.wait(beganAtMs, this.#on, retryAfterMs);
    }
  }

  /** Lists the objects if no resourceVersion is known, then watches until the API server or the network ends it. */
  async #watchOnce(): Promise<void> {
    try {
      if (this.#version === null) {
        this.#version = await this.#source.list();
        this.#known.clear();
      }
      await this.#watch(this.#version);
    } catch (error) {
      if (!isGone(error)) throw error;
      this.#version = null;
    }
  }

  async #watch(resourceVersion: string): Promise<void> {
    const { connection, timers, signal } = this.#on;
    const seconds = WATCH_SECONDS.least + Math.floor(timers.random() * WATCH_SECONDS.spread);
    const follow = { watch: "true", allowWatchBookmarks: "true", timeoutSeconds: `${seconds}` };
    const stream = await connection.stream(this.#source.path, {
      query: { ...selectorsOf(this.#source), resourceVersion, ...follow },
      signal,
    });
    this.#heard();
    this.#handler.connectionChanged(null, this.#heardAtMs);
    this.#known.beginAfter(resourceVersion);
    this.#hasBookmarks = false;
    await this.#read(stream, seconds * 1000 + GRACE_MS);
  }

  /** Reads the stream until it ends or breaks. Closes the stream after a long silence, or if the machine slept. */
  async #read(stream: ApiStream, longestMs: number): Promise<void> {
    let isLost = false;
    const lose = (): void => {
      isLost = true;
      stream.close();
    };
    const { timers } = this.#on;
    const listen = () => timers.after(this.#hasBookmarks ? BOOKMARK_SILENCE_MS : longestMs, lose);
    const forgetJumps = timers.onJump?.(lose);
    let callOff = listen();
    try {
      for await (const line of stream.lines) {
        callOff();
        this.#heard();
        await this.#take(line);
        callOff = listen();
      }
      this.#heard();
    } catch (error) {
      const failure = isLost ? new RequestFailure("timeout", SILENT) : error;
      if (!isSilence(failure)) this.#heard();
      throw failure;
    } finally {
      callOff();
      forgetJumps?.();
      stream.close();
    }
  }

  #heard(): void {
    this.#heardAtMs = this.#on.timers.nowMs();
  }

  async #take(line: string): Promise<void> {
    const message = parsedJson(line);
    if (message === undefined) throw new RequestFailure("bad-answer", { message: "a line of the watch is not JSON" });
    const object = at(message, "object");
    const type = at(message, "type");
    if (OF_OBJECTS.includes(type) && textOf(at(object, "metadata", "name")) === null)
      throw new RequestFailure("bad-answer", { message: "an event of the watch is about no object" });
    switch (type) {
      case "ADDED":
      case "MODIFIED":
        if (this.#known.take(object, false)) await this.#handler.changed(object);
        break;
      case "DELETED":
        if (this.#known.take(object, true)) this.#handler.deleted(object);
        break;
      case "BOOKMARK":
        this.#hasBookmarks = true;
        break;
      case "ERROR":
        throw failureIn(object);
      default:
        return;
    }
    const version = resourceVersionOf(object);
    if (version !== null && (this.#version === null || isLater(version, this.#version))) this.#version = version;
  }
}

const OF_OBJECTS: readonly unknown[] = ["ADDED", "MODIFIED", "DELETED"];

function failureIn(status: unknown): RequestFailure {
  const code = at(status, "code");
  const message = textOf(at(status, "message")) ?? "the watch failed";
  return new RequestFailure("server-error", { message, status: typeof code === "number" ? code : 0 });
}

export interface WatchSource {
  readonly path: string;
  readonly fieldSelector: string;
  readonly labelSelector?: string | undefined;
}

interface ListedSource extends WatchSource {
  /** The resourceVersion to watch from; null to list the objects first. */
  readonly knownVersion: string | null;
  list(): Promise<string>;
}

export interface WatchHandler {
  /** Receives all objects at the start, and again whenever the API server has dropped changes that the watch needs. */
  listed(objects: readonly unknown[]): void;
  /** If this returns a promise, the watch waits for it before it reads the next change. */
  changed(object: unknown): void | Promise<void>;
  deleted(object: unknown): void;
  /** Reports that the connection failed after `sinceLocalMs` (local clock), or works again (`failure` is null). */
  connectionChanged(failure: Error | null, sinceLocalMs: number): void;
}

type ChangeHandler = Omit<WatchHandler, "listed">;

export function selectorsOf({ fieldSelector, labelSelector }: WatchSource): Readonly<Record<string, string>> {
  return { fieldSelector, ...(labelSelector !== undefined && { labelSelector }) };
}

/** How many objects' versions the program remembers. A repeated change comes soon after the first one. */
const MOST_KNOWN = 1_000;

/**
 * Remembers the last resourceVersion of each object, to ignore old changes. A load balancer, a proxy or an API server
 * that lags behind may send a change twice, or after a later one.
 */
export class KnownVersions {
  readonly #versions = new Map<string, string>();
  #since: string | null = null;

  beginAfter(version: string): void {
    this.#since = version;
  }

  /** Forgets all versions after a new list, because an API server restored from a backup counts from lower numbers. */
  clear(): void {
    this.#versions.clear();
    this.#since = null;
  }

  /**
   * Whether a change is new. If so, remembers its version. If the versions are not numbers, any different version is
   * new; a change without a version is always new. A deletion is new even with the version of the object's last change.
   */
  take(object: unknown, isDeletion: boolean): boolean {
    const version = resourceVersionOf(object);
    if (version === null) return true;
    const metadata = (field: string): string | null => textOf(at(object, "metadata", field));
    const key = metadata("uid") ?? `${metadata("namespace") ?? ""}/${metadata("name") ?? ""}`;
    const earlier = [this.#versions.get(key), this.#since];
    if (earlier.some((one) => one != null && !(isLater(version, one) || (isDeletion && version === one)))) return false;
    this.#versions.delete(key);
    this.#versions.set(key, version);
    if (this.#versions.size > MOST_KNOWN) this.#versions.delete(this.#versions.keys().next().value ?? "");
    return true;
  }
}

export function resourceVersionOf(object: unknown): string | null {
  return textOf(at(object, "metadata", "resourceVersion"));
}

/** Whether `version` is later than `than`. If either is not a number: whether they differ. */
function isLater(version: string, than: string): boolean {
  const order = compareResourceVersions(version, than);
  return order === null ? version !== than : order > 0;
}
