import type { ApiStream, Connection } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import type { Timers } from "../connection/timers.ts";
import { at, parsedJson, textOf } from "../objects/untrusted.ts";
import { compareResourceVersions } from "../objects/versions.ts";

/** The server ends a watch after so long (a random time in between), and is asked again from where it was. */
const WATCH_SECONDS = { least: 200, spread: 100 } as const;
/** A connection on which nothing came for that long, and this, is dead: nobody said so. */
const GRACE_MS = 15_000;
/** Bookmarks come about once a minute (`defaultBookmarkFrequency`, apiserver v0.37.1, pkg/storage/cacher/cacher.go). */
const BOOKMARK_SILENCE_MS = 150_000;

/** One watch after another, each from where the last one ended. */
export class ObjectWatch {
  readonly #connection: Connection;
  readonly #source: ListedSource;
  readonly #handler: ChangeHandler;
  readonly #timers: Timers;
  /** Everything up to this resourceVersion is known; null before the first list. */
  #version: string | null;
  readonly #told = new ToldVersions();
  #hasBookmarks = false;
  #heardAtMs: number;

  constructor(connection: Connection, source: ListedSource, handler: ChangeHandler, timers: Timers) {
    this.#connection = connection;
    this.#source = source;
    this.#version = source.knownVersion;
    this.#handler = handler;
    this.#timers = timers;
    this.#heardAtMs = timers.nowMs();
  }

  /** By the local clock: until then the connection was there, or nothing spoke against it. */
  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** One list, if need be, and one watch, until it ends. */
  async once(signal: AbortSignal): Promise<void> {
    try {
      this.#version ??= await this.#list(signal);
      await this.#watch(this.#version, signal);
    } catch (error) {
      if (!(error instanceof RequestFailure && error.status === GONE)) throw error;
      this.#version = null;
    }
  }

  async #list(signal: AbortSignal): Promise<string> {
    const version = await this.#source.list(signal);
    this.#told.clear();
    return version;
  }

  async #watch(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const seconds = WATCH_SECONDS.least + Math.floor(this.#timers.random() * WATCH_SECONDS.spread);
    const follow = { watch: "true", allowWatchBookmarks: "true", timeoutSeconds: `${seconds}` };
    const stream = await this.#connection.stream(this.#source.path, {
      query: { ...selectorsOf(this.#source), resourceVersion, ...follow },
      signal,
    });
    this.#heard();
    this.#handler.trouble(null, this.#heardAtMs);
    this.#told.beginAfter(resourceVersion);
    this.#hasBookmarks = false;
    await this.#read(stream, seconds * 1000 + GRACE_MS);
  }

  /** Until it ends or breaks, or nobody can tell whether it is still there: nothing came for too long, or the machine slept. */
  async #read(stream: ApiStream, longestMs: number): Promise<void> {
    let isLost = false;
    const lose = (): void => {
      isLost = true;
      stream.close();
    };
    const listen = () => this.#timers.after(this.#hasBookmarks ? BOOKMARK_SILENCE_MS : longestMs, lose);
    const forgetJumps = this.#timers.onJump?.(lose);
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
      if (isLost) throw new RequestFailure("timeout", { message: "nothing is heard on the connection" });
      this.#heard();
      throw error;
    } finally {
      callOff();
      forgetJumps?.();
      stream.close();
    }
  }

  #heard(): void {
    this.#heardAtMs = this.#timers.nowMs();
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
        if (this.#told.take(object, false)) await this.#handler.changed(object);
        break;
      case "DELETED":
        if (this.#told.take(object, true)) this.#handler.deleted(object);
        break;
      case "BOOKMARK":
        this.#hasBookmarks = true;
        break;
      case "ERROR":
        throw failureIn(object);
      default:
        return;
    }
    const version = versionOf(object);
    if (version !== null && (this.#version === null || isLater(version, this.#version))) this.#version = version;
  }
}

const OF_OBJECTS: readonly unknown[] = ["ADDED", "MODIFIED", "DELETED"];

/** 410: the server no longer has what came after that resourceVersion. */
const GONE = 410;

function failureIn(status: unknown): RequestFailure {
  const code = at(status, "code");
  const message = textOf(at(status, "message")) ?? "the watch failed";
  return new RequestFailure("server-error", { message, status: typeof code === "number" ? code : 0 });
}

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

export type ChangeHandler = Omit<WatchHandler, "listed">;

/** The selectors of a list and of the watch that goes on with it. */
export function selectorsOf({ fieldSelector, labelSelector }: WatchSource): Readonly<Record<string, string>> {
  return { fieldSelector, ...(labelSelector !== undefined && { labelSelector }) };
}

/** An answer that is told again is told soon: more objects need not be remembered. */
const MOST_KNOWN = 1_000;

/**
 * Which resourceVersions of objects were told already. A load balancer, a proxy or a server that lags behind may tell a change
 * again, or after a later one: what is older than what is known is no news.
 */
export class ToldVersions {
  readonly #told = new Map<string, string>();
  /** What a watch tells is later than what it began after. */
  #since: string | null = null;

  beginAfter(version: string): void {
    this.#since = version;
  }

  /** Everything is listed anew: what was known before is void, for a restored server counts from lower numbers. */
  clear(): void {
    this.#told.clear();
    this.#since = null;
  }

  /**
   * Whether this is news; remembers it then. Versions that are no numbers cannot be compared: what differs is news. A deletion
   * may have the version of the last change.
   */
  take(object: unknown, isDeletion: boolean): boolean {
    const version = versionOf(object);
    if (version === null) return true;
    const key = textOf(at(object, "metadata", "uid")) ?? nameOf(object);
    const known = [this.#told.get(key), this.#since];
    if (known.some((told) => told != null && !(isLater(version, told) || (isDeletion && version === told))))
      return false;
    this.#told.delete(key);
    this.#told.set(key, version);
    if (this.#told.size > MOST_KNOWN) this.#told.delete(this.#told.keys().next().value ?? "");
    return true;
  }
}

export function versionOf(object: unknown): string | null {
  return textOf(at(object, "metadata", "resourceVersion"));
}

/** Whether the first resourceVersion is of a later moment. Where either is no number: whether they differ. */
export function isLater(version: string, than: string): boolean {
  const order = compareResourceVersions(version, than);
  return order === null ? version !== than : order > 0;
}

function nameOf(object: unknown): string {
  return `${textOf(at(object, "metadata", "namespace")) ?? ""}/${textOf(at(object, "metadata", "name")) ?? ""}`;
}
