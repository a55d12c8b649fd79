import type { ApiStream } from "../connection/connection.ts";
import { isGone, isSilence, RequestFailure, SILENT } from "../connection/request-failure.ts";
import { at, parsedJson, textOf } from "../objects/json-access.ts";
import { compareResourceVersions } from "../objects/versions.ts";
import { isRetryable, RetryPauses, type Watching } from "./watch-retry.ts";

const TIMEOUT_SECONDS = { least: 200, most: 300 } as const;
/** Assumed: a watch that is silent for its `timeoutSeconds` plus this time has a dead connection. */
const GRACE_MS = 15_000;
/**
 * Assumed: a watch with bookmarks that is silent for this time has a dead connection. Bookmarks come about once a
 * minute (`defaultBookmarkFrequency`, apiserver v0.37.1, pkg/storage/cacher/cacher.go).
 */
const BOOKMARK_SILENCE_MS = 150_000;

/** Throws a RequestFailure of the kind "forbidden". After any other RequestFailure, tries again. */
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
    const retry = new RetryPauses();
    while (!signal.aborted) {
      const beganAtMs = timers.nowMs();
      let retryAfterMs = 0;
      try {
        await this.#watchOnce();
      } catch (error) {
        if (signal.aborted) return;
        if (!isRetryable(error)) throw error;
        if (error instanceof RequestFailure) retryAfterMs = error.retryAfterMs ?? 0;
        this.#handler.connectionChanged(error, this.#heardAtMs);
      }
      await retry.wait(beganAtMs, this.#on, retryAfterMs);
    }
  }

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
    const seconds =
      TIMEOUT_SECONDS.least + Math.floor(timers.random() * (TIMEOUT_SECONDS.most - TIMEOUT_SECONDS.least));
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

  async #read(stream: ApiStream, silenceMs: number): Promise<void> {
    let isLost = false;
    const lose = (): void => {
      isLost = true;
      stream.close();
    };
    const { timers } = this.#on;
    const listen = () => timers.after(this.#hasBookmarks ? BOOKMARK_SILENCE_MS : silenceMs, lose);
    const forgetJumps = timers.onJump?.(lose);
    let callOff = listen();
    try {
      for await (const line of stream.lines) {
        callOff();
        this.#heard();
        await this.#handle(line);
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

  async #handle(line: string): Promise<void> {
    const message = parsedJson(line);
    if (message === undefined) throw new RequestFailure("bad-answer", { message: "a line of the watch is not JSON" });
    const object = at(message, "object");
    const type = at(message, "type");
    if (OF_OBJECTS.includes(type) && textOf(at(object, "metadata", "name")) === null)
      throw new RequestFailure("bad-answer", { message: "an event of the watch is about no object" });
    switch (type) {
      case "ADDED":
      case "MODIFIED":
        if (this.#known.addIfNew(object, false)) await this.#handler.changed(object);
        break;
      case "DELETED":
        if (this.#known.addIfNew(object, true)) this.#handler.deleted(object);
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
  readonly knownVersion: string | null;
  list(): Promise<string>;
}

export interface WatchHandler {
  /** Receives all objects at the start, and can receive all objects again, e.g. after a 410. */
  listed(objects: readonly unknown[]): void;
  /** The watch waits for a returned promise before it reads the next change. */
  changed(object: unknown): void | Promise<void>;
  deleted(object: unknown): void;
  /** `failure` is null if the connection works. `sinceLocalMs` is an instant of the local clock. */
  connectionChanged(failure: Error | null, sinceLocalMs: number): void;
}

type ChangeHandler = Omit<WatchHandler, "listed">;

export function selectorsOf({ fieldSelector, labelSelector }: WatchSource): Readonly<Record<string, string>> {
  return { fieldSelector, ...(labelSelector !== undefined && { labelSelector }) };
}

/** Assumed: a repeated change comes before this number of other objects have changed. */
const MOST_KNOWN_OBJECTS = 1_000;

/** Recognizes changes that arrive twice, or after a later change, e.g. from an API server that lags behind. */
export class KnownVersions {
  readonly #versions = new Map<string, string>();
  #since: string | null = null;

  beginAfter(version: string): void {
    this.#since = version;
  }

  /** Needed after a new list: an API server that was restored from a backup can send lower resourceVersions. */
  clear(): void {
    this.#versions.clear();
    this.#since = null;
  }

  /** An old API server can send a deletion with the object's last resourceVersion (kubernetes/kubernetes#58545). */
  addIfNew(object: unknown, isDeletion: boolean): boolean {
    const version = resourceVersionOf(object);
    if (version === null) return true;
    const metadata = (field: string): string | null => textOf(at(object, "metadata", field));
    const key = metadata("uid") ?? `${metadata("namespace") ?? ""}/${metadata("name") ?? ""}`;
    const earlier = [this.#versions.get(key), this.#since];
    if (earlier.some((one) => one != null && !(isLater(version, one) || (isDeletion && version === one)))) return false;
    this.#versions.delete(key);
    this.#versions.set(key, version);
    if (this.#versions.size > MOST_KNOWN_OBJECTS) this.#versions.delete(this.#versions.keys().next().value ?? "");
    return true;
  }
}

export function resourceVersionOf(object: unknown): string | null {
  return textOf(at(object, "metadata", "resourceVersion"));
}

export function requiredVersion(version: string | null): string {
  if (version === null) throw new RequestFailure("bad-answer", { message: "a list without a resourceVersion" });
  return version;
}

function isLater(version: string, than: string): boolean {
  const order = compareResourceVersions(version, than);
  return order === null ? version !== than : order > 0;
}
